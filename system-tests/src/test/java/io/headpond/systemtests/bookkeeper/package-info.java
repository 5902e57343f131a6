// SPDX-License-Identifier: Apache-2.0
/** Real bookies, killed and restarted, every acknowledged entry compared. */
package io.headpond.systemtests.bookkeeper;
