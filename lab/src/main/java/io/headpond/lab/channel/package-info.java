/**
 * Measures appends to the bare channel, without an engine: the mapped file of every persist back
 * end against a bare libpmem copy and against plain file writes, in the same run.
 */
package io.headpond.lab.channel;
