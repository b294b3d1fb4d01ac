package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.testkit.FakeTransports;

import jakarta.servlet.ServletOutputStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Cancellations that arrive while the response is written: an interrupt breaks the connection. */
@Timeout(60)
class CancelledWhileAnsweredTest {

    private static final String CANCELLED =
            """
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
            """;

    private final McpRig rig = McpRig.withLongTimeout();
    private final Agent agent = rig.agent("/mcp", "2025-11-25");

    @AfterEach
    void stop() {
        rig.close();
    }

    /** Cancels the request before each write. */
    private final class CancellingResponse extends MockHttpServletResponse {

        private volatile boolean written;
        private volatile boolean interrupted;

        @Override
        public ServletOutputStream getOutputStream() {
            cancel();
            return super.getOutputStream();
        }

        @Override
        public void flushBuffer() {
            cancel();
            super.flushBuffer();
        }

        private void cancel() {
            // Its end is awaited without regard to an interrupt of this thread.
            CompletableFuture.runAsync(() -> agent.send(CANCELLED), Thread::startVirtualThread)
                    .join();
            written = true;
            if (Thread.interrupted()) {
                interrupted = true;
            }
        }
    }

    private void call(MockHttpServletResponse response) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/mcp");
        request.setContentType("application/json");
        request.addHeader("Accept", "application/json, text/event-stream");
        request.addHeader("Mcp-Session-Id", agent.session());
        request.setContent(
                Agent.request("tools/call", "{\"name\": \"github__echo\", \"arguments\": {}}")
                        .getBytes(StandardCharsets.UTF_8));
        rig.endpoint().service(request, response);
    }

    @Test
    void requestThatIsCompletedIsNotInterrupted() throws Exception {
        CancellingResponse response = new CancellingResponse();

        call(response);

        assertThat(response.getContentAsString()).contains("\"result\"");
        assertThat(response.interrupted).isFalse();
    }

    @Test
    void requestThatIsCancelledIsNotInterruptedAgain() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            called.countDown();
                            new CountDownLatch(1).await();
                            return FakeTransports.echo(params);
                        });
        CancellingResponse response = new CancellingResponse();
        FutureTask<Void> call =
                new FutureTask<>(
                        () -> {
                            call(response);
                            return null;
                        });
        Thread.startVirtualThread(call);
        called.await();

        agent.send(CANCELLED);
        call.get();

        assertThat(response.getContentAsString()).doesNotContain("\"id\"");
        assertThat(response.written).isTrue();
        assertThat(response.interrupted).isFalse();
    }
}
