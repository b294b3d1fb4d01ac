package dev.orloj.runtime.network;

import com.sun.management.UnixOperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * What containers may take of the descriptors and threads of this process.
 *
 * @param perContainer connections at a time of one container
 * @param total permits for the connections of all containers
 * @param headTimeout how long a client may take to send the head of its request
 * @param refusalTimeout how long a client that was refused may take to read why
 */
record EgressLimits(
        int perContainer, Semaphore total, Duration headTimeout, Duration refusalTimeout) {

    private static final int USUAL_DESCRIPTORS = 4_096;
    private static final int MOST_CONNECTIONS = 2_048;

    /** A connection has two descriptors: all of them have a quarter of those that there are. */
    private static final long SHARE = 8;

    /** Those of this process, which all of its containers share. */
    static final EgressLimits SHARED =
            new EgressLimits(
                    128,
                    new Semaphore(connections(descriptors())),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(1));

    static int connections(long descriptors) {
        return Math.toIntExact(Math.clamp(descriptors / SHARE, 16, MOST_CONNECTIONS));
    }

    private static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                ? os.getMaxFileDescriptorCount()
                : USUAL_DESCRIPTORS;
    }
}
