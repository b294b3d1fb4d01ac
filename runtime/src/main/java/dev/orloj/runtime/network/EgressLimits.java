package dev.orloj.runtime.network;

import com.sun.management.UnixOperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Limits the descriptors and threads of this process that containers may use.
 *
 * @param perContainer maximum number of concurrent connections of one container
 * @param total permits for the connections of all containers
 * @param headTimeout how long a client may take to send the head of its request
 * @param refusalTimeout how long a client may take to read the reason of a refusal
 */
record EgressLimits(
        int perContainer, Semaphore total, Duration headTimeout, Duration refusalTimeout) {

    private static final int USUAL_DESCRIPTORS = 4_096;
    private static final int MAX_CONNECTIONS = 2_048;

    /**
     * A connection needs two descriptors: together, connections may use a quarter of all
     * descriptors.
     */
    private static final long SHARE = 8;

    /** The limits of this process, shared by all its containers. */
    static final EgressLimits SHARED =
            new EgressLimits(
                    128,
                    new Semaphore(connections(descriptors())),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(1));

    static int connections(long descriptors) {
        return Math.toIntExact(Math.clamp(descriptors / SHARE, 16, MAX_CONNECTIONS));
    }

    private static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                ? os.getMaxFileDescriptorCount()
                : USUAL_DESCRIPTORS;
    }
}
