// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.time.Duration;

/**
 * The configuration of policies.
 *
 * @param age {@code headpond.migrate.age}: how old a segment's last append may be in a fast tier
 */
public record PolicySettings(Duration age) {}
