package dev.orloj.runtime.reading;

import java.io.IOException;

/** A message is not read, because all messages together take too much memory. */
public final class ReadBudgetException extends IOException {

    private static final long serialVersionUID = 1L;

    ReadBudgetException(String message) {
        super(message);
    }
}
