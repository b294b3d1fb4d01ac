package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;
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

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The product's stdio transport, called inside the JVM of the load driver. */
final class TransportContestant implements Contestant {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectNode INITIALIZE =
            Json.MAPPER.createObjectNode().put("protocolVersion", "2025-06-18");

    private final Supervisor supervisor = new Supervisor();
    private final ContainerEngine containers =
            new ContainerEngine(new EngineSettings("", "benchmark"), ContainerListener.NONE);
    private final StandardTransports transports = new StandardTransports(supervisor, containers);
    private final Transport transport =
            transports.create(
                    new ServerAddress.Stdio(EchoServer.command(), Map.of(), Duration.ofSeconds(1)),
                    new LogBuffer(InstantSource.system()),
                    "bench");

    static TransportContestant open() throws InterruptedException {
        TransportContestant contestant = new TransportContestant();
        contestant.transport.open(new Deaf());
        contestant.transport.request("initialize", INITIALIZE, TIMEOUT);
        contestant.transport.notify("notifications/initialized", null);
        return contestant;
    }

    @Override
    public String name() {
        return "StdioTransport";
    }

    @Override
    public Operation caller() {
        return () -> {
            ObjectNode params = Json.MAPPER.createObjectNode().put("name", "echo");
            params.set("arguments", PipeContestant.ARGUMENTS);
            PipeContestant.check(transport.request("tools/call", params, TIMEOUT));
        };
    }

    @Override
    public Optional<Duration> cpu() {
        return Optional.empty();
    }

    @Override
    public void close() {
        transport.close();
        transports.close();
        supervisor.close();
    }

    /** The echo server says nothing unasked. */
    private static final class Deaf implements TransportListener {

        @Override
        public void onNotification(String method, @Nullable JsonNode params) {}

        @Override
        public void onClosed(TransportException cause) {}
    }
}
