package dev.orloj.runtime.network;

import org.jspecify.annotations.Nullable;

/** The host's firewall cannot be configured. The message contains the firewall's error. */
public final class FirewallException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FirewallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
