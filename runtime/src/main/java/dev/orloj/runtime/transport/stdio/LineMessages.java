package dev.orloj.runtime.transport.stdio;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;
import dev.orloj.runtime.jsonrpc.UnreadableAnswer;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.reading.ReadBudgetException;
import dev.orloj.runtime.reading.Reading;
import dev.orloj.runtime.transport.NonProtocolOutput;
import dev.orloj.runtime.transport.http.MessageReader;

/**
 * Decodes messages from lines; a line that is not a message counts as non-protocol output. For one
 * thread.
 */
final class LineMessages {

    private final LineReader lines;
    private final Reading reading;
    private final NonProtocolOutput nonProtocolOutput;
    private final MessageReader.Inbox inbox;

    /** Whether the next line may lack its beginning. */
    private boolean mayBePartial;

    /**
     * @param isContinued whether the output began before the first line
     */
    LineMessages(
            LineReader lines,
            Reading reading,
            NonProtocolOutput nonProtocolOutput,
            MessageReader.Inbox inbox,
            boolean isContinued) {
        this.mayBePartial = isContinued;
        this.lines = lines;
        this.reading = reading;
        this.nonProtocolOutput = nonProtocolOutput;
        this.inbox = inbox;
    }

    /** Decodes the current line. */
    void take() throws ReadBudgetException {
        boolean isPartial = mayBePartial;
        mayBePartial = false;
        if (lines.isBlank()) {
            nonProtocolOutput.blank();
            return;
        }
        MessageSize size = MessageSize.of(lines.buffer(), lines.offset(), lines.length());
        reading.charge(size.memory());
        try {
            JsonRpcCodec.Decoded decoded =
                    JsonRpcCodec.decode(lines.buffer(), lines.offset(), lines.length());
            decoded.rejected().forEach(this::reject);
            MessageSize each = size.dividedBy(decoded.messages().size());
            decoded.messages().forEach(message -> inbox.received(message, each));
        } catch (MalformedMessageException e) {
            if (isPartial) {
                return; // the end of a message to an earlier connection
            }
            String why = String.valueOf(e.getMessage());
            reject(why);
            UnreadableAnswer.id(lines.buffer(), lines.offset(), lines.length())
                    .ifPresent(id -> inbox.unreadable(id, why));
        } finally {
            reading.refund(size.memory());
        }
    }

    private void reject(String why) {
        nonProtocolOutput.line(lines.buffer(), lines.offset(), lines.length(), why);
    }
}
