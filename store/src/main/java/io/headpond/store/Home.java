// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.UUID;

/**
 * A log directory that this process owns.
 *
 * @param path its real path
 * @param id its identifier
 */
record Home(Path path, UUID id) {}
