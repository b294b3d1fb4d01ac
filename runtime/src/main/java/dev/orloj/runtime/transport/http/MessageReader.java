package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;
import dev.orloj.runtime.jsonrpc.UnreadableAnswer;
import dev.orloj.runtime.reading.GrowingBuffer;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.reading.ReadBudgetException;
import dev.orloj.runtime.reading.Reading;
import dev.orloj.runtime.transport.NonProtocolOutput;
import dev.orloj.runtime.transport.TransportException;

import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Decodes messages from the bodies of HTTP responses, and counts their bytes. Thread-safe. */
public final class MessageReader {

    /** Receives decoded messages. */
    public interface Inbox {

        /**
         * @param size size of the message, or of the batch that contains it
         */
        void received(JsonRpcMessage message, MessageSize size);

        /**
         * Receives the id of a request whose response cannot be read.
         *
         * @param id id of the request
         */
        void unreadable(long id, String why);
    }

    /** Receives events of any name. */
    @FunctionalInterface
    interface EventInbox {

        void received(EventReader.Event event, Reading reading) throws IOException;
    }

    private static final int EXCERPT = 1024;

    private final MessageLimits limits;
    private final NonProtocolOutput nonProtocolOutput;
    private final LongAdder bytes = new LongAdder();

    /**
     * @param nonProtocolOutput receives events that are not messages
     */
    MessageReader(MessageLimits limits, NonProtocolOutput nonProtocolOutput) {
        this.limits = limits;
        this.nonProtocolOutput = nonProtocolOutput;
    }

    /** Returns the number of message bytes read so far. */
    long bytes() {
        return bytes.sum();
    }

    static boolean isEventStream(HttpEntity entity) {
        ContentType type = ContentType.parseLenient(entity.getContentType());
        return type != null && type.isSameMimeType(ContentType.TEXT_EVENT_STREAM);
    }

    /**
     * Reads the messages of an event stream to its end; skips events that are not messages.
     *
     * @param abort ends the stream; callable from any thread
     */
    void readEvents(InputStream in, EventReader.Cursor cursor, Runnable abort, Inbox inbox)
            throws IOException {
        try (Reading reading = limits.budget().open(abort)) {
            EventReader events = new EventReader(in, limits.maxMessageBytes(), cursor, reading);
            try {
                for (var event = events.next(); event != null; event = events.next()) {
                    read(event, reading, inbox);
                }
            } catch (IOException e) {
                throw reading.explain(e);
            }
        }
    }

    /**
     * Reads the events of any name from an event stream to its end.
     *
     * @param abort ends the stream; callable from any thread
     */
    void readEvents(InputStream in, Runnable abort, EventInbox inbox) throws IOException {
        try (Reading reading = limits.budget().open(abort)) {
            EventReader events =
                    new EventReader(
                            in, limits.maxMessageBytes(), new EventReader.Cursor(), reading);
            try {
                for (var event = events.nextEvent(); event != null; event = events.nextEvent()) {
                    inbox.received(event, reading);
                }
            } catch (IOException e) {
                throw reading.explain(e);
            }
        }
    }

    /** Decodes the messages of one event; skips an event that is not a message. */
    void read(EventReader.Event event, Reading reading, Inbox inbox) throws IOException {
        bytes.add(event.length());
        try {
            decode(event.buffer(), event.offset(), event.length(), reading, inbox);
        } catch (MalformedMessageException e) {
            String why = String.valueOf(e.getMessage());
            nonProtocolOutput.line(event.buffer(), event.offset(), event.length(), why);
            UnreadableAnswer.id(event.buffer(), event.offset(), event.length())
                    .ifPresent(id -> inbox.unreadable(id, why));
        }
    }

    /**
     * Reads a body that consists of a message or a batch, regardless of its content type.
     *
     * @param abort ends the exchange; callable from any thread
     * @param failures describes a response that is neither
     */
    void readDocument(HttpEntity entity, Runnable abort, HttpFailures failures, Inbox inbox)
            throws IOException {
        try (Reading reading = limits.budget().open(abort)) {
            GrowingBuffer body = new GrowingBuffer(reading, limits.maxMessageBytes());
            try (InputStream in = entity.getContent()) {
                if (!body.readAll(in)) {
                    abort.run();
                    throw new AnswerTooLongException(limits.maxMessageBytes());
                }
                decode(body.bytes(), 0, body.size(), reading, inbox);
            } catch (AnswerTooLongException e) {
                throw e;
            } catch (IOException e) {
                throw reading.explain(e);
            } catch (MalformedMessageException e) {
                throw unusable(entity, body, failures, e);
            } finally {
                bytes.add(body.size());
            }
        }
    }

    /**
     * Describes a body without a message. Invalid JSON-RPC gets its reason; other content was not
     * meant as JSON-RPC.
     */
    private static TransportException unusable(
            HttpEntity entity,
            GrowingBuffer body,
            HttpFailures failures,
            MalformedMessageException e) {
        if (UnreadableAnswer.id(body.bytes(), 0, body.size()).isPresent()) {
            return failures.unreadable(String.valueOf(e.getMessage()));
        }
        String type = entity.getContentType();
        return failures.unusable(
                type == null ? "" : type,
                Arrays.copyOf(body.bytes(), Math.min(body.size(), EXCERPT)));
    }

    private static void decode(byte[] data, int offset, int length, Reading reading, Inbox inbox)
            throws ReadBudgetException {
        MessageSize size = MessageSize.of(data, offset, length);
        reading.charge(size.memory());
        try {
            var messages = JsonRpcCodec.decode(data, offset, length).messages();
            MessageSize each = size.dividedBy(messages.size());
            messages.forEach(message -> inbox.received(message, each));
        } finally {
            reading.refund(size.memory());
        }
    }
}
