package dev.orloj.runtime.workload;

import java.time.Duration;

/**
 * The resources of this host that a process and its descendants use at one moment.
 *
 * @param processes number of processes
 * @param residentBytes memory in use; a shared page counts once for each process
 * @param cpu processor time since their start, including that of reaped children
 */
public record ProcessUsage(int processes, long residentBytes, Duration cpu) {}
