package dev.orloj.runtime.reading;

import java.io.IOException;

/** A message was not read because messages from all servers use too much memory. */
public final class ReadBudgetException extends IOException {

    private static final long serialVersionUID = 1L;

    ReadBudgetException(String message) {
        super(message);
    }
}
