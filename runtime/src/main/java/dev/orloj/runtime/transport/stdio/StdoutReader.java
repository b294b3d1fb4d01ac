package dev.orloj.runtime.transport.stdio;

import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudgetException;
import dev.orloj.runtime.reading.Reading;
import dev.orloj.runtime.transport.NonProtocolOutput;
import dev.orloj.runtime.transport.http.MessageReader;
import dev.orloj.runtime.workload.Workload;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads the messages on the standard output of a workload until it ends. When reading ends for any
 * reason, reports the loss: no request may wait for a message that is not read. For one thread.
 */
final class StdoutReader implements Runnable {

    /** Receives the messages, and why there are no more. */
    interface Sink extends MessageReader.Inbox {

        /**
         * @param detail replaces the description of the loss, unless it is empty
         */
        void lost(ConnectionLoss loss, String detail);

        /** Reading failed in an unexpected way. */
        void broken(Throwable cause);
    }

    private final Workload workload;
    private final MessageLimits limits;
    private final NonProtocolOutput nonProtocolOutput;
    private final LongAdder bytesIn;
    private final Sink sink;

    /**
     * @param bytesIn counts the bytes of all lines
     */
    StdoutReader(
            Workload workload,
            MessageLimits limits,
            NonProtocolOutput nonProtocolOutput,
            LongAdder bytesIn,
            Sink sink) {
        this.workload = workload;
        this.limits = limits;
        this.nonProtocolOutput = nonProtocolOutput;
        this.bytesIn = bytesIn;
        this.sink = sink;
    }

    @Override
    public void run() {
        try {
            readLines();
            sink.lost(ConnectionLoss.STDOUT_CLOSED, "");
        } catch (LineReader.LineTooLongException _) {
            sink.lost(
                    ConnectionLoss.UNREADABLE,
                    "Server sent a message longer than %d bytes (spec.max_message_bytes, orloj.messages.max-size)"
                            .formatted(limits.maxMessageBytes()));
        } catch (ReadBudgetException e) {
            sink.lost(ConnectionLoss.UNREADABLE, "Server was ended: " + e.getMessage());
        } catch (IOException e) {
            sink.lost(ConnectionLoss.STDOUT_CLOSED, "");
        } catch (Throwable e) { // top level of the thread: also catches an OutOfMemoryError
            sink.broken(e);
        }
    }

    private void readLines() throws IOException {
        try (Reading reading = limits.budget().open(this::revoked)) {
            LineReader lines = new LineReader(workload.stdout(), limits.maxMessageBytes(), reading);
            LineMessages messages =
                    new LineMessages(
                            lines,
                            reading,
                            nonProtocolOutput,
                            sink,
                            workload.earlierConnections() > 0);
            while (lines.next()) {
                bytesIn.add(lines.length() + 1L);
                messages.take();
            }
        }
    }

    /**
     * Ends the connection because it uses the most memory of all connections and the budget is
     * exceeded.
     */
    private void revoked() {
        sink.lost(
                ConnectionLoss.UNREADABLE,
                "Server was ended: messages of all servers take too much memory, and its own the"
                        + " most of it (orloj.messages.memory)");
    }
}
