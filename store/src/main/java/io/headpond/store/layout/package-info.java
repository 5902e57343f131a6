// SPDX-License-Identifier: Apache-2.0

/**
 * The layout on disk: identities of homes and tiers, names and links of segments, one segment's
 * move to another file, and the force of directories. Works on files alone, for a store, for a
 * bookie's directories, and for commands beside a stopped engine.
 */
package io.headpond.store.layout;
