package dev.orloj.cli.auth;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.signature.Sha256;

import java.nio.ByteBuffer;

/**
 * Chooses the port at which the browser ends. It is the same for each login at a server, so that
 * its redirect URI, and with it the client that orlojd registered, can be used again.
 */
final class LoginPort {

    // Below the ports that Linux, macOS and Windows give to outgoing connections.
    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;

    private LoginPort() {}

    static int of(ResourceKey server) {
        int digest = ByteBuffer.wrap(Sha256.digest(server.toString())).getInt();
        return FIRST + Math.floorMod(digest, COUNT);
    }
}
