// SPDX-License-Identifier: Apache-2.0
/** {@code headpond powercut}: cuts the power of a guest with an emulated NVDIMM while it writes. */
package io.headpond.cli.powercut;
