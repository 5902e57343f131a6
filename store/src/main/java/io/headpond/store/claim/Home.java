// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import java.nio.file.Path;
import java.util.UUID;

/**
 * A log directory that this process owns.
 *
 * @param path its real path
 * @param id its identifier
 */
public record Home(Path path, UUID id) {}
