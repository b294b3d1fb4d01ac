package dev.orloj.benchmarks.micro;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.call.PipelineContestant;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What a call costs between the front door and the transport: catalogue, check of the arguments
 * against the schema, session. Its baseline is a transport that answers at once.
 */
@State(Scope.Benchmark)
public class CallPipeline {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final PipelineContestant pipeline = PipelineContestant.over(new InstantTransports());
    private final Transport transport = new InstantTransport();

    @Benchmark
    public void call() throws InterruptedException, IOException {
        pipeline.call();
    }

    @Benchmark
    public JsonNode callBaseline() throws InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("name", "echo");
        return transport.request("tools/call", params, TIMEOUT);
    }

    @TearDown
    public void close() {
        pipeline.close();
    }

    private static final class InstantTransports implements Transports {

        @Override
        public Transport create(ServerAddress address, LogBuffer stderr, String label) {
            return new InstantTransport();
        }
    }

    /** Has the same answers ready for all callers. */
    private static final class InstantTransport implements Transport {

        private static final JsonNode IDENTITY =
                Json.MAPPER.readTree(
                        """
                        {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},\
                        "serverInfo":{"name":"instant","version":"1"}}\
                        """);
        private static final JsonNode RESULT =
                Json.MAPPER.readTree(
                        """
                        {"content":[{"type":"text","text":"hello"}],"isError":false}\
                        """);

        @Override
        public void open(TransportListener listener) {}

        @Override
        public JsonNode request(OutgoingRequest request, RequestDeadline deadline) {
            return request.method().equals("initialize") ? IDENTITY : RESULT;
        }

        @Override
        public void notify(String method, @Nullable JsonNode params) {}

        @Override
        public void negotiated(ProtocolRevision revision) {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public Optional<Long> pid() {
            return Optional.empty();
        }

        @Override
        public TransportStats stats() {
            return TransportStats.NONE;
        }

        @Override
        public void close() {}
    }
}
