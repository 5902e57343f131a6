// SPDX-License-Identifier: Apache-2.0

/** Workloads, drivers of real engines, and measurements. */
package io.headpond.bench;
