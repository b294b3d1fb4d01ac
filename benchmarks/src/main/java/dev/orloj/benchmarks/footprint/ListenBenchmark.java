package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.load.Histogram;
import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.load.LineStream;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What an agent costs that listens for changes of the list of tools, beside one that merely keeps
 * its connection, and how long a change takes to all who listen.
 */
public final class ListenBenchmark implements Benchmark {

    private static final String ENDPOINT = "/mcp/default";
    private static final String LISTENING = "subscriptions/listen";
    private static final String IDLE = "idle connection";
    private static final String TOOL =
            SleepingServers.TOOLS + "/" + SleepingServers.name(0) + "--look-up-";

    private static final String HEAP = "heap";
    private static final String RESIDENT = "resident";
    private static final String P50 = "p50";
    private static final String P99 = "p99";

    private static final double MAX_MEGABYTES = 100;
    private static final int AGENTS_OF_GOAL = 1_000;

    @Override
    public String name() {
        return "listen";
    }

    @Override
    public String summary() {
        return "memory of agents that listen, and delay of a change";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int agents = Math.min(AGENTS_OF_GOAL, effort.objects());
        Map<String, Double> listening = measure(effort, workplace, agents);
        Map<String, Double> idle = measureIdle(workplace, agents);
        return table(agents, listening, idle);
    }

    private static Map<String, Double> measure(Effort effort, Workplace workplace, int agents)
            throws Exception {
        List<Agent> listening = new ArrayList<>();
        try (OrlojdProcess orlojd = start(workplace);
                FakeMcpEndpoint endpoint = FakeMcpEndpoint.start(SleepingServers.TOOLS_OF_EACH);
                HttpConnection connection = new HttpConnection(orlojd.url())) {
            SleepingServers.create(orlojd, endpoint, 1);
            byte[] request = AgentRequests.listen(connection, ENDPOINT);
            new Agent(LineStream.open(orlojd.url(), request)).close();
            Memory before = Memory.of(orlojd);
            for (int i = 0; i < agents; i++) {
                listening.add(new Agent(LineStream.open(orlojd.url(), request)));
            }
            Map<String, Double> values = Memory.of(orlojd).since(before, agents);
            Histogram delays = new Histogram();
            int changes = Math.min(SleepingServers.TOOLS_OF_EACH, effort.rounds());
            for (int tool = 0; tool < changes; tool++) {
                change(orlojd, tool, listening, delays);
            }
            values.put(P50, delays.percentile(50) / 1e6);
            values.put(P99, delays.percentile(99) / 1e6);
            return values;
        } finally {
            for (Agent agent : listening) {
                agent.close();
            }
        }
    }

    /** Deletes one of the Tools, and waits until all agents were notified. */
    private static void change(
            OrlojdProcess orlojd, int tool, List<Agent> listening, Histogram delays)
            throws IOException, InterruptedException {
        listening.getFirst().awaitSilence(); // all are notified at the same time
        listening.forEach(Agent::forget);
        long begun = System.nanoTime();
        orlojd.delete(TOOL + tool);
        for (Agent agent : listening) {
            delays.record(agent.awaitNotification() - begun);
        }
    }

    private static Map<String, Double> measureIdle(Workplace workplace, int agents)
            throws Exception {
        List<HttpConnection> connections = new ArrayList<>();
        try (OrlojdProcess orlojd = start(workplace)) {
            Memory before = Memory.of(orlojd);
            for (int i = 0; i < agents; i++) {
                HttpConnection connection = new HttpConnection(orlojd.url());
                connections.add(connection);
                connection.exchange(AgentRequests.listTools(connection, ENDPOINT));
            }
            return Memory.of(orlojd).since(before, agents);
        } finally {
            connections.forEach(HttpConnection::close);
        }
    }

    private static OrlojdProcess start(Workplace workplace)
            throws IOException, InterruptedException {
        return OrlojdProcess.start(workplace, workplace.newFolder("listen"));
    }

    private Table table(int agents, Map<String, Double> listening, Map<String, Double> idle) {
        return new Table(
                name(),
                summary(),
                "agents",
                List.of(
                        new Column(HEAP, "heap kB each", 1),
                        new Column(RESIDENT, "resident kB each", 1),
                        new Column(P50, "change p50 ms", 1),
                        new Column(P99, "change p99 ms", 1)),
                List.of(HEAP, RESIDENT),
                IDLE,
                List.of(
                        Row.once(LISTENING, "" + agents, listening),
                        Row.once(IDLE, "" + agents, idle)),
                List.of(
                        new Goal(
                                "MB of heap for %d listening agents".formatted(AGENTS_OF_GOAL),
                                Objects.requireNonNull(listening.get(HEAP)) * AGENTS_OF_GOAL / 1e3,
                                Goal.Bound.AT_MOST,
                                MAX_MEGABYTES)),
                List.of(
                        "heap: all live objects after a full collection, stacks of waiting threads"
                                + " included",
                        "change: from the DELETE of a Tool to each agent; orlojd waits 100 ms for"
                                + " what else changes"));
    }

    /** Of orlojd at one moment, without PostgreSQL. */
    private record Memory(long heap, long resident) {

        static Memory of(OrlojdProcess orlojd) throws IOException, InterruptedException {
            return new Memory(LiveHeap.bytes(orlojd), orlojd.process().residentBytes());
        }

        /** Kilobytes for each. */
        Map<String, Double> since(Memory before, int agents) {
            Map<String, Double> values = new LinkedHashMap<>();
            values.put(HEAP, (heap - before.heap) / 1e3 / agents);
            values.put(RESIDENT, (resident - before.resident) / 1e3 / agents);
            return values;
        }
    }

    /** One that listens; a thread of its own records when a notification came. */
    private static final class Agent implements AutoCloseable {

        private static final String NOTIFICATION = "list_changed";
        private static final Duration SILENCE = Duration.ofMillis(500);
        private static final Duration TIMEOUT = Duration.ofSeconds(30);

        private final LineStream stream;
        private final BlockingQueue<Long> notification = new LinkedBlockingQueue<>();

        Agent(LineStream stream) {
            this.stream = stream;
            Thread.ofVirtual().start(() -> stream.forEachLine(this::note));
        }

        private void note(byte[] line) {
            if (new String(line, StandardCharsets.UTF_8).contains(NOTIFICATION)) {
                notification.add(System.nanoTime());
            }
        }

        /** Returns when no more notifications come of the change before. */
        void awaitSilence() throws InterruptedException {
            Long last;
            do {
                last = notification.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
            } while (last != null);
        }

        void forget() {
            notification.clear();
        }

        long awaitNotification() throws InterruptedException {
            Long at = notification.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (at == null) {
                throw new IllegalStateException("An agent got no notification within " + TIMEOUT);
            }
            return at;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
