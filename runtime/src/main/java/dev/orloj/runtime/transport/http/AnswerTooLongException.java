package dev.orloj.runtime.transport.http;

import java.io.IOException;

/** An HTTP server sends a message that exceeds the size limit. */
final class AnswerTooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    AnswerTooLongException(int limit) {
        super(
                "it is longer than "
                        + limit
                        + " bytes (spec.max_message_bytes, orloj.messages.max-size)");
    }
}
