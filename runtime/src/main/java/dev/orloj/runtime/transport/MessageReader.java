package dev.orloj.runtime.transport;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;

import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Takes messages out of the bodies of HTTP answers, and counts their bytes. Thread-safe. */
final class MessageReader {

    /** Where messages go. */
    @FunctionalInterface
    interface Inbox {

        /**
         * @param bytes of what the message came in, which may be a batch
         */
        void received(JsonRpcMessage message, int bytes);
    }

    private final int maxMessageBytes;
    private final NoiseLog noise;
    private final LongAdder bytes = new LongAdder();

    /**
     * @param maxMessageBytes longest message accepted
     * @param noise learns of events that hold no message
     */
    MessageReader(int maxMessageBytes, NoiseLog noise) {
        this.maxMessageBytes = maxMessageBytes;
        this.noise = noise;
    }

    /** How many bytes of messages there were so far. */
    long bytes() {
        return bytes.sum();
    }

    static boolean isEventStream(HttpEntity entity) {
        ContentType type = ContentType.parseLenient(entity.getContentType());
        return type != null && type.isSameMimeType(ContentType.TEXT_EVENT_STREAM);
    }

    /** Reads the messages of a stream of events to its end; an event that holds none is skipped. */
    void readEvents(InputStream in, EventReader.Cursor cursor, Inbox inbox) throws IOException {
        EventReader events = new EventReader(in, maxMessageBytes, cursor);
        for (byte[] data = events.next(); data != null; data = events.next()) {
            read(data, inbox);
        }
    }

    /** Reads a stream of events of all names to its end. */
    void readEvents(InputStream in, Consumer<EventReader.Event> inbox) throws IOException {
        EventReader events = new EventReader(in, maxMessageBytes, new EventReader.Cursor());
        for (var event = events.nextEvent(); event != null; event = events.nextEvent()) {
            inbox.accept(event);
        }
    }

    /** Takes the messages out of one event; one that holds none is skipped. */
    void read(byte[] data, Inbox inbox) {
        bytes.add(data.length);
        try {
            decode(data, inbox);
        } catch (MalformedMessageException e) {
            noise.line(data, 0, data.length, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads a body that is a message, or a batch of them, whatever its content type says.
     *
     * @param failures says what an answer is that holds none
     */
    void readDocument(HttpEntity entity, HttpFailures failures, Inbox inbox) throws IOException {
        byte[] body = HttpEndpoint.read(entity, maxMessageBytes + 1);
        bytes.add(body.length);
        if (body.length > maxMessageBytes) {
            throw new AnswerTooLongException(maxMessageBytes);
        }
        try {
            decode(body, inbox);
        } catch (MalformedMessageException e) {
            String type = entity.getContentType();
            throw failures.unusable(type == null ? "" : type, body);
        }
    }

    private static void decode(byte[] data, Inbox inbox) {
        JsonRpcCodec.decode(data, 0, data.length)
                .messages()
                .forEach(message -> inbox.received(message, data.length));
    }
}
