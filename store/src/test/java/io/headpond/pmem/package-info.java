// SPDX-License-Identifier: Apache-2.0
/** What a simulated device needs to lie below a mapped file. */
package io.headpond.pmem;
