package dev.orloj.server.disconnect;

import com.sun.management.UnixOperatingSystemMXBean;

import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes connections that keep others out: a new one that sends no whole head of a request in time
 * and, when few are left, those that have waited for a request the longest. A connection with a
 * request in progress stays open.
 */
final class WaitingConnections {

    static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(WaitingConnections.class);
    private static final int MAX_CONNECTIONS = 8_192;
    private static final int LOW_DESCRIPTORS = 4_096;

    private final Set<SocketWrapperBase<?>> answering = ConcurrentHashMap.newKeySet();
    private final Set<SocketWrapperBase<?>> known = ConcurrentHashMap.newKeySet();

    /** Since when each waits for a request, in nanoseconds; used by the checking thread only. */
    private final Map<SocketWrapperBase<?>, Long> since = new HashMap<>();

    /** Half of the descriptors; the rest is for the database, servers and their containers. */
    static int mostConnections() {
        long descriptors =
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                        ? os.getMaxFileDescriptorCount()
                        : LOW_DESCRIPTORS;
        if (descriptors < LOW_DESCRIPTORS) {
            log.atWarn()
                    .addKeyValue("descriptors", descriptors)
                    .addKeyValue("connections", share(descriptors))
                    .log(
                            "The limit of open files is low: raise it to 4096 or more (ulimit -n,"
                                    + " LimitNOFILE)");
        }
        return share(descriptors);
    }

    static int share(long descriptors) {
        return Math.toIntExact(Math.clamp(descriptors / 2, 64, MAX_CONNECTIONS));
    }

    /** The whole head of a request has arrived. */
    void answering(SocketWrapperBase<?> connection) {
        answering.add(connection);
        known.add(connection);
    }

    /** The request was answered, and the connection waits for the next one. */
    void waiting(SocketWrapperBase<?> connection) {
        answering.remove(connection);
    }

    /** Called periodically, by one thread. */
    void look(AbstractEndpoint<?, ?> endpoint, long now) {
        // Copied before the open connections are read: those accepted meanwhile keep their marks.
        Set<SocketWrapperBase<?>> gone = new HashSet<>(answering);
        gone.addAll(known);
        Set<SocketWrapperBase<?>> open = new HashSet<>(endpoint.getConnections());
        gone.removeAll(open);
        answering.removeAll(gone);
        known.removeAll(gone);
        since.keySet().retainAll(open);
        since.keySet().removeAll(answering);
        open.removeAll(answering);
        open.forEach(each -> since.putIfAbsent(each, now));
        List<SocketWrapperBase<?>> oldestFirst =
                open.stream()
                        .sorted(Comparator.comparingLong(each -> since.getOrDefault(each, now)))
                        .toList();
        int most = endpoint.getMaxConnections();
        long tooMany = endpoint.getConnectionCount() - (most - most / 4);
        for (SocketWrapperBase<?> each : oldestFirst) {
            long waited = now - since.getOrDefault(each, now);
            boolean isLate = !known.contains(each) && waited >= HEAD_TIMEOUT.toNanos();
            if (isLate || (tooMany > 0 && most > 0)) {
                tooMany--;
                end(each);
            }
        }
    }

    /** A request may have arrived meanwhile. */
    private void end(SocketWrapperBase<?> connection) {
        if (!answering.contains(connection)) {
            connection.close();
        }
    }
}
