package dev.orloj.runtime.workload;

import java.time.Duration;

/**
 * What a process and all that it has started take of this host at one moment.
 *
 * @param processes how many they are
 * @param residentBytes memory in use; pages that several of them share count for each
 * @param cpu time on a processor since they started, ended children that were waited for included
 */
public record ProcessUsage(int processes, long residentBytes, Duration cpu) {}
