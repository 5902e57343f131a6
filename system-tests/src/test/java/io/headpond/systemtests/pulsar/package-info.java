// SPDX-License-Identifier: Apache-2.0
/**
 * Real Pulsar on a bookie with Headpond's journal, killed and restarted, every message compared.
 */
package io.headpond.systemtests.pulsar;
