/**
 * Workloads, which are programs with standard streams and an end, and the supervision of host
 * processes.
 */
@NullMarked
package dev.orloj.runtime.workload;

import org.jspecify.annotations.NullMarked;
