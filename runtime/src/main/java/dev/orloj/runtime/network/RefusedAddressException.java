package dev.orloj.runtime.network;

import java.net.UnknownHostException;

/**
 * A host has no permitted address. The message contains its addresses, the reason and the remedy.
 * Nothing was sent.
 */
public final class RefusedAddressException extends UnknownHostException {

    private static final long serialVersionUID = 1L;

    RefusedAddressException(String message) {
        super(message);
    }
}
