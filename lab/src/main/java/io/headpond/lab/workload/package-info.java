// SPDX-License-Identifier: Apache-2.0
/**
 * Workload files of the OpenMessaging Benchmark as they are: {@link
 * io.headpond.lab.workload.WorkloadFile} reads one into a {@link
 * io.headpond.lab.workload.MessagingWorkload}, or refuses it by file, key and remedy.
 */
package io.headpond.lab.workload;
