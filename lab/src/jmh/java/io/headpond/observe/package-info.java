// SPDX-License-Identifier: Apache-2.0

/** Benchmarks of what {@code observe} doesn't show to others. */
package io.headpond.observe;
