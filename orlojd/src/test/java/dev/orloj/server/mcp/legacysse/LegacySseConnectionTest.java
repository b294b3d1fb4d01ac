package dev.orloj.server.mcp.legacysse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.McpRig;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.InFlightRequests;
import dev.orloj.server.mcp.protocol.RequestHeaders;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;

import tools.jackson.databind.node.IntNode;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** How many requests one client of HTTP+SSE may have open. */
@Timeout(60)
class LegacySseConnectionTest {

    private final McpRig rig = new McpRig();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        mayAnswer.countDown();
        rig.close();
    }

    private LegacySseConnection open(Consumer<JsonRpcMessage> out) throws InterruptedException {
        LegacySseEndpoint.Parts parts = rig.legacySse();
        LegacySseConnection connection =
                new LegacySseConnection(
                        "one",
                        EndpointScope.parse("/mcp/default").orElseThrow(),
                        new RequestHeaders(new MockHttpServletRequest()),
                        new LegacySseConnection.Gateway(
                                parts.handlers(),
                                parts.initializer(),
                                new InFlightRequests(),
                                parts.questions(),
                                parts.logLevels()),
                        out);
        connection.receive(
                request(
                        0,
                        "initialize",
                        """
                        {"protocolVersion": "2024-11-05", "capabilities": {},
                         "clientInfo": {"name": "test", "version": "1"}}
                        """));
        assertThat(received.take()).isInstanceOf(Response.class);
        return connection;
    }

    private static Request request(int id, String method, String params) {
        return new Request(IntNode.valueOf(id), method, FakeTransports.json(params));
    }

    private static Request ping(int id) {
        return request(id, "ping", "{}");
    }

    /** A response that is being sent does not count. */
    @Test
    void requestThatIsSentOnReceiptOfAResponseIsAnswered() throws Exception {
        CountDownLatch mayTakeMore = new CountDownLatch(1);
        try (LegacySseConnection connection =
                open(
                        message -> {
                            received.add(message);
                            if (message instanceof Response(var id, var _) && isFirst(id.asInt())) {
                                awaitUninterrupted(mayTakeMore);
                            }
                        })) {
            for (int id = 1; id <= LegacySseConnection.MAX_REQUESTS; id++) {
                connection.receive(ping(id));
            }
            for (int id = 1; id <= LegacySseConnection.MAX_REQUESTS; id++) {
                assertThat(received.take()).isInstanceOf(Response.class);
            }

            connection.receive(ping(LegacySseConnection.MAX_REQUESTS + 1));

            assertThat(received.take()).isInstanceOf(Response.class);
        } finally {
            mayTakeMore.countDown();
        }
    }

    private static boolean isFirst(int id) {
        return id >= 1 && id <= LegacySseConnection.MAX_REQUESTS;
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void requestAboveTheLimitIsRefusedUntilAnotherIsOver() throws Exception {
        rig.servers()
                .on(
                        "tools/call",
                        (_, params) -> {
                            mayAnswer.await();
                            return FakeTransports.echo(params);
                        });
        try (LegacySseConnection connection = open(received::add)) {
            for (int id = 1; id <= LegacySseConnection.MAX_REQUESTS; id++) {
                connection.receive(request(id, "tools/call", "{\"name\": \"github__echo\"}"));
            }

            connection.receive(ping(LegacySseConnection.MAX_REQUESTS + 1));

            ErrorResponse refusal = (ErrorResponse) received.take();
            assertThat(Objects.requireNonNull(refusal.id()).asInt())
                    .isEqualTo(LegacySseConnection.MAX_REQUESTS + 1);
            assertThat(refusal.error().message())
                    .isEqualTo("At most 100 requests are answered at a time");

            mayAnswer.countDown();
            assertThat(received.take()).isInstanceOf(Response.class);
            connection.receive(ping(LegacySseConnection.MAX_REQUESTS + 2));
            for (int more = 1; more <= LegacySseConnection.MAX_REQUESTS; more++) {
                assertThat(received.take()).isInstanceOf(Response.class);
            }
        }
    }
}
