package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.LiveHeap;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What an open session with a stdio server costs in the heap of orlojd, without its child: servers
 * whose session is open, beside as many of the same servers that sleep.
 */
public final class WarmSessionsBenchmark implements Benchmark {

    private static final String WARM = "warm";
    private static final String ASLEEP = "asleep";
    private static final String PER_SERVER = "kB";
    private static final double MAX_KILOBYTES = 300;

    /** Each has a child of some forty megabytes. */
    private static final int MAX_SERVERS = 60;

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String summary() {
        return "memory per open session with a stdio server, without its child";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int servers = Math.min(MAX_SERVERS, effort.objects());
        try (OrlojdProcess orlojd =
                OrlojdProcess.start(workplace, workplace.newFolder("sessions"))) {
            // The first one loads classes and fills pools.
            create(orlojd, "first", "", 1);
            long before = LiveHeap.bytes(orlojd);
            create(orlojd, ASLEEP, "1s", servers);
            for (int i = 0; i < servers; i++) {
                awaitSessions(orlojd, ASLEEP + "-" + i, 0);
            }
            long asleep = LiveHeap.bytes(orlojd);
            create(orlojd, WARM, "", servers);
            long warm = LiveHeap.bytes(orlojd);
            return table(
                    servers, (asleep - before) / 1e3 / servers, (warm - asleep) / 1e3 / servers);
        }
    }

    private static void create(OrlojdProcess orlojd, String name, String idleTimeout, int servers)
            throws IOException {
        for (int i = 0; i < servers; i++) {
            orlojd.create(EchoManifest.SERVERS, EchoManifest.of(name + "-" + i, idleTimeout));
        }
        for (int i = 0; i < servers; i++) {
            orlojd.await(EchoManifest.toolPath(name + "-" + i), tool -> true);
            if (idleTimeout.isEmpty()) {
                awaitSessions(orlojd, name + "-" + i, 1);
            }
        }
    }

    private static void awaitSessions(OrlojdProcess orlojd, String server, int expected)
            throws IOException {
        orlojd.await(
                EchoManifest.sessionsPath(server), list -> EchoManifest.hasItems(list, expected));
    }

    private Table table(int servers, double asleep, double warm) {
        return new Table(
                name(),
                summary(),
                "servers",
                List.of(new Column(PER_SERVER, "kB per server", 1)),
                List.of(),
                ASLEEP,
                List.of(
                        Row.once(ASLEEP, "" + servers, Map.of(PER_SERVER, asleep)),
                        Row.once(WARM, "" + servers, Map.of(PER_SERVER, warm))),
                List.of(
                        new Goal(
                                "kB of heap per server with an open session",
                                warm,
                                Goal.Bound.AT_MOST,
                                MAX_KILOBYTES)),
                List.of(
                        "all live objects after a full collection, less those of before: the"
                                + " resources of a server and its tool too",
                        "those asleep come first, so caches that fill once count among them",
                        "beside the heap a session has three platform threads, with a few pages of"
                                + " stack each"));
    }
}
