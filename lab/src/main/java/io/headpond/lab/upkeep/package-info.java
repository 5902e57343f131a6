// SPDX-License-Identifier: Apache-2.0
/**
 * A broker's upkeep beside publishing: a deleted topic, a compaction, a restart. It knows Kafka's
 * rigs.
 */
package io.headpond.lab.upkeep;
