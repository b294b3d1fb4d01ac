package dev.orloj.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.transport.stdio.StdioTransport;
import dev.orloj.runtime.workload.LogBuffer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** H-06 and H-21: what cannot be read fails what waits for it, at once and with the reason. */
class UnreadableAnswersTest {

    /** Never waited for: each failure comes long before. */
    private static final Duration TIMEOUT = Duration.ofHours(1);

    private final RecordingListener listener = new RecordingListener();
    private final List<Transport> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Transport::close);
    }

    @Test
    void anErrorInTheReaderFailsTheCallsInFlightAndTheConnection() throws InterruptedException {
        Transport transport =
                open(
                        line -> {
                            throw new OutOfMemoryError("Java heap space");
                        },
                        MessageLimits.usual());

        assertThatThrownBy(() -> transport.request("tools/call", null, TIMEOUT))
                .isInstanceOf(TransportException.class)
                .hasMessage(
                        "The thread of the server's standard output failed:"
                                + " java.lang.OutOfMemoryError: Java heap space");

        assertThat(transport.isOpen()).isFalse();
        await().until(() -> listener.closed().size() == 1);
        assertThat(listener.closed().getFirst()).hasMessageContaining("OutOfMemoryError");
    }

    @Test
    void aLineWithoutEndIsGivenUpAtTheLimitWhateverFollows() throws InterruptedException {
        byte[] endless = new byte[60 * 1024 * 1024];
        ReadBudget budget = new ReadBudget(64 << 20, 64 << 20);
        Transport transport =
                open(
                        line -> endless,
                        new MessageLimits(MessageLimits.DEFAULT_MESSAGE_BYTES, budget));

        assertThatThrownBy(() -> transport.request("tools/call", null, TIMEOUT))
                .hasMessage(
                        "Server sent a message longer than 16777216 bytes"
                                + " (spec.max_message_bytes, orloj.messages.max-size)");
        assertThat(budget.read()).isZero();
    }

    @Test
    void aMessageThatTakesTooMuchMemoryEndsItsServer() throws InterruptedException {
        ReadBudget budget = new ReadBudget(8 << 20, 8 << 20);
        Transport transport =
                open(
                        line -> bytes("\"" + "x".repeat(20 << 20) + "\"\n"),
                        new MessageLimits(32 << 20, budget));

        assertThatThrownBy(() -> transport.request("tools/call", null, TIMEOUT))
                .hasMessageContaining("orloj.messages.memory");
        await().until(() -> budget.read() == 0);
    }

    @Test
    void anAnswerWithoutRoomFailsItsCallOnlyAndSmallOnesGoOn() throws InterruptedException {
        ReadBudget budget = new ReadBudget(64 << 20, 1 << 20);
        Transport transport =
                open(
                        line ->
                                answer(
                                        line,
                                        line.contains("large")
                                                ? "\"" + "x".repeat(1 << 20) + "\""
                                                : "\"small\""),
                        new MessageLimits(MessageLimits.DEFAULT_MESSAGE_BYTES, budget));

        assertThatThrownBy(() -> transport.request("large", null, TIMEOUT))
                .hasMessageContaining("clients have not read yet");

        assertThat(transport.request("other", null, TIMEOUT).asString()).isEqualTo("small");
        assertThat(budget.held()).isZero();
    }

    static Stream<byte[]> unreadable() {
        return Stream.of(
                bytes("{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":" + "[".repeat(300) + "]}\n"),
                bytes("{\"result\":{\"n\":" + "9".repeat(100_000) + "},\"id\":ID}\n"),
                concat("{\"result\":{\"text\":\"", new byte[] {(byte) 0xff}, "\"}, \"id\" : ID}\n"),
                bytes("{\"id\":ID,\"result\":{\"id\":\"\\\"}\"}\n"),
                bytes("{\"id\":ID,\"result\":{}}\n"));
    }

    @ParameterizedTest
    @MethodSource
    void unreadable(byte[] template) throws InterruptedException {
        Transport transport =
                open(
                        line ->
                                line.contains("good")
                                        ? answer(line, "1")
                                        : new String(template, StandardCharsets.ISO_8859_1)
                                                .replace("ID", id(line))
                                                .getBytes(StandardCharsets.ISO_8859_1),
                        MessageLimits.usual());

        assertThatThrownBy(() -> transport.request("tools/call", null, TIMEOUT))
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith("The answer of the server cannot be read: ");

        assertThat(transport.request("good", null, TIMEOUT).intValue()).isEqualTo(1);
    }

    @Test
    void aRequestOfTheServerThatCannotBeReadFailsNoCallWithTheSameId() throws InterruptedException {
        Transport transport =
                open(
                        line ->
                                bytes(
                                        "{\"id\":%s,\"params\":%s,\"method\":\"ping\"}\n%s"
                                                .formatted(
                                                        id(line),
                                                        "[".repeat(300) + "]".repeat(300),
                                                        new String(answer(line, "1")))),
                        MessageLimits.usual());

        assertThat(transport.request("tools/call", null, TIMEOUT).intValue()).isEqualTo(1);
    }

    private Transport open(Function<String, byte[]> answers, MessageLimits limits)
            throws InterruptedException {
        Transport transport =
                new StdioTransport(
                        () -> new FaultyWorkload(answers),
                        new LogBuffer(InstantSource.system()),
                        "faulty",
                        Duration.ofSeconds(1),
                        limits);
        opened.add(transport);
        transport.open(listener);
        return transport;
    }

    private static String id(String line) {
        return Json.MAPPER.readTree(line).path("id").toString();
    }

    private static byte[] answer(String line, String result) {
        return bytes("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n".formatted(id(line), result));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] concat(String head, byte[] middle, String tail) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(bytes(head));
        all.writeBytes(middle);
        all.writeBytes(bytes(tail));
        return all.toByteArray();
    }
}
