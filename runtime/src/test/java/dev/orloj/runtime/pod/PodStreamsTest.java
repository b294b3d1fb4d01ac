package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

class PodStreamsTest {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Sent socket = new Sent();
    private final PodStreams streams = new PodStreams(timer);

    @AfterEach
    void stop() {
        streams.close();
        timer.shutdownNow();
    }

    private void receive(int channel, String text, boolean first, boolean last) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer data = ByteBuffer.allocate(bytes.length + 1);
        if (first) {
            data.put((byte) channel);
        }
        data.put(bytes).flip();
        streams.onBinary(socket, data, last);
    }

    @Test
    void outputGoesToItsStreamAlsoInFragments() throws IOException {
        receive(1, "", true, true);
        receive(1, "{\"a\"", true, false);
        receive(1, ":1}", false, true);
        receive(2, "warning", true, true);
        receive(3, "{\"status\":", true, false);
        receive(3, "\"Success\"}", false, true);
        streams.onClose(socket, 1000, "");
        streams.endOutput();

        assertThat(streams.stdout().readAllBytes()).asString().isEqualTo("{\"a\":1}");
        assertThat(streams.stderr().readAllBytes()).asString().isEqualTo("warning");
        assertThat(streams.status()).isEqualTo("{\"status\":\"Success\"}");
        assertThat(streams.disconnected()).isDone();
    }

    @Test
    void onlyTheFirstPartOfALongStatusIsKept() {
        receive(3, "x".repeat(60_000), true, false);
        receive(3, "x".repeat(60_000), false, true);

        assertThat(streams.status()).hasSize(64 * 1024);
    }

    /** The number of the channel is in the first byte, not in the first fragment. */
    @Test
    void emptyFirstFragmentDoesNotHideTheChannel() throws IOException {
        receive(2, "noise", true, true);
        streams.onBinary(socket, ByteBuffer.allocate(0), false);
        receive(1, "{}", true, true);
        streams.endOutput();

        assertThat(streams.stdout().readAllBytes()).asString().isEqualTo("{}");
    }

    @Test
    void eachMessageThatWasReadAllowsOneMore() {
        streams.onOpen(socket);
        receive(1, "one", true, true);
        streams.onPong(socket, ByteBuffer.allocate(0));

        assertThat(socket.requested).isEqualTo(3);
    }

    @Test
    void stdinIsForwardedAndItsEndClosesTheChannel() throws IOException {
        streams.begin(socket);
        streams.stdin().write("hello\n".getBytes(StandardCharsets.UTF_8));
        streams.stdin().flush();
        await().until(() -> !socket.messages.isEmpty());
        streams.closeStdin();

        await().untilAsserted(
                        () -> assertThat(socket.messages).containsExactly("0:hello\n", "255:\0"));
        assertThat(socket.isOutputClosed()).isFalse();
    }

    @Test
    void endOfTheConnectionEndsStdin() {
        streams.begin(socket);

        streams.onError(socket, new IOException("reset"));

        assertThat(streams.disconnected()).isDone();
        await().untilAsserted(
                        () ->
                                assertThatThrownBy(() -> streams.stdin().write(new byte[100_000]))
                                        .isInstanceOf(IOException.class));
    }

    /** Records what is sent. */
    private static final class Sent extends FakeWebSocket {

        final List<String> messages = new CopyOnWriteArrayList<>();
        volatile long requested = 0;

        @Override
        CompletableFuture<WebSocket> send(int channel, byte[] bytes) {
            messages.add(channel + ":" + new String(bytes, StandardCharsets.UTF_8));
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public void request(long n) {
            requested += n;
        }
    }
}
