// SPDX-License-Identifier: Apache-2.0
/** What the system tests of all engines share. */
package io.headpond.systemtests;
