// SPDX-License-Identifier: Apache-2.0
/** The folders of a benchmark, and what of them lies on which device or in the page cache. */
package io.headpond.lab.place;
