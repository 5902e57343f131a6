// SPDX-License-Identifier: Apache-2.0

/** The default file system provider that routes an engine's log segments to the store. */
package io.headpond.nio;
