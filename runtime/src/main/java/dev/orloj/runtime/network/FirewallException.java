package dev.orloj.runtime.network;

import org.jspecify.annotations.Nullable;

/** The host's firewall cannot be told. The message says what it answered. */
public final class FirewallException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FirewallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
