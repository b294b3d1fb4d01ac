package dev.orloj.benchmarks.container;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.Workplace;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From nothing to the answer of {@code initialize}, of a server whose image is there: by the
 * runtime of orlojd, and by {@code docker run} with the same limits.
 */
public final class ContainerBenchmark implements Benchmark {

    private static final String IMAGE = "orloj-test/server";
    private static final String BY_HAND = "docker run";
    private static final String ORLOJD = "ContainerEngine";
    private static final String LOAD = "cold";
    private static final String ANSWER = "answer";
    private static final int STARTS_PER_ROUND = 5;
    private static final double MAX_ADDED_MILLIS = 150;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
            """;
    private static final List<String> RUN =
            List.of(
                    "docker",
                    "run",
                    "--rm",
                    "--interactive",
                    "--init",
                    "--read-only",
                    "--cap-drop=ALL",
                    "--security-opt=no-new-privileges",
                    "--user=65532:65532",
                    "--network=none",
                    "--memory=128m",
                    "--memory-swap=128m",
                    "--cpus=0.50",
                    "--pids-limit=64",
                    "--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=64m",
                    "--log-driver=none",
                    IMAGE);

    @Override
    public String name() {
        return "container";
    }

    @Override
    public String summary() {
        return "from nothing to the first answer of a server in a container";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        Supervisor supervisor = new Supervisor();
        try (ContainerEngine engine =
                        new ContainerEngine(
                                new EngineSettings("", "benchmark"), ContainerListener.NONE);
                StandardTransports transports = new StandardTransports(supervisor, engine)) {
            byHand();
            byOrlojd(transports);
            for (int i = 0; i < STARTS_PER_ROUND * effort.rounds(); i++) {
                rows.add(BY_HAND, LOAD, Map.of(ANSWER, byHand()));
                rows.add(ORLOJD, LOAD, Map.of(ANSWER, byOrlojd(transports)));
            }
        } finally {
            supervisor.close();
        }
        return table(rows.list());
    }

    private Table table(List<Row> rows) {
        return new Table(
                name(),
                summary(),
                "",
                List.of(new Column(ANSWER, "answer ms", 0)),
                List.of(ANSWER),
                BY_HAND,
                rows,
                List.of(
                        new Goal(
                                "ms that the engine adds to docker run",
                                millis(rows, ORLOJD) - millis(rows, BY_HAND),
                                Goal.Bound.AT_MOST,
                                MAX_ADDED_MILLIS)),
                List.of(
                        "the image is that of deploy/test-images/build; the limits are the"
                                + " defaults, the network is none"));
    }

    private static double millis(List<Row> rows, String subject) {
        return Table.find(rows, subject, LOAD).orElseThrow().value(ANSWER).orElseThrow();
    }

    private static double byHand() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process =
                new ProcessBuilder(RUN).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().write(INITIALIZE.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        if (answers.readLine() == null) {
            throw new IOException(
                    "docker run has no answer; is there an engine, and did deploy/test-images/build"
                            + " run?");
        }
        double millis = millisSince(start);
        process.getOutputStream().close();
        process.waitFor();
        return millis;
    }

    private static double byOrlojd(StandardTransports transports) throws InterruptedException {
        long start = System.nanoTime();
        Transport transport =
                transports.create(
                        new ServerAddress.Container(spec(), Duration.ofSeconds(2)),
                        new LogBuffer(InstantSource.system()),
                        "bench");
        transport.open(new Deaf());
        ObjectNode offer = Json.MAPPER.createObjectNode().put("protocolVersion", "2025-11-25");
        transport.request("initialize", offer, TIMEOUT);
        double millis = millisSince(start);
        transport.close();
        return millis;
    }

    private static ContainerSpec spec() {
        return new ContainerSpec(
                new ContainerOwner("default", "bench", "bench"),
                new ImageSource(IMAGE, PullPolicy.NEVER, Optional.empty()),
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                ContainerIsolation.DEFAULT.withNetwork(NetworkAccess.NONE),
                false,
                List.of());
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static final class Deaf implements TransportListener {

        @Override
        public void onNotification(String method, @Nullable JsonNode params) {}

        @Override
        public void onClosed(TransportException cause) {}
    }
}
