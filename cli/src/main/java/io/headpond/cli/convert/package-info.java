// SPDX-License-Identifier: Apache-2.0

/** {@code headpond convert-config}: from Pafka's configuration to ours, each line explained. */
package io.headpond.cli.convert;
