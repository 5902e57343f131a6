// SPDX-License-Identifier: Apache-2.0
/** What loads of all engines share: content whose every byte follows from a seed, and its check. */
package io.headpond.bench.load;
