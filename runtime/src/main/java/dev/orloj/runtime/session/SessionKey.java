package dev.orloj.runtime.session;

import dev.orloj.runtime.transport.ServerAddress;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a session was opened for. Two keys are equal when one session serves both: the same server
 * over the same connection. A server whose key changes gets a new session; changes of anything else
 * reach the session that is open.
 *
 * @param generation of the manifest; no part of equality, it tells which of two keys is newer
 * @param connection digest of all that the connection depends on
 */
public record SessionKey(String serverUid, long generation, String connection) {

    /**
     * The key of a server that is reached so.
     *
     * @param restart differs from the one before when a new session is wanted for its own sake
     */
    public static SessionKey of(
            String serverUid, long generation, ServerAddress address, String restart) {
        Digest digest = new Digest();
        digest.add(restart);
        switch (address) {
            case ServerAddress.Stdio stdio -> {
                digest.add("stdio");
                digest.add(stdio.command());
                digest.add(stdio.env());
                digest.add(stdio.shutdownGrace().toString());
            }
            case ServerAddress.Http http -> {
                digest.add("http");
                digest.add(http.endpoint().toString());
                digest.add(http.headers());
            }
        }
        return new SessionKey(serverUid, generation, digest.hex());
    }

    /**
     * Whether this is another connection of an earlier generation of the same server. Other
     * differences have no order.
     */
    boolean isOlderThan(SessionKey other) {
        return serverUid.equals(other.serverUid)
                && generation < other.generation
                && !connection.equals(other.connection);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SessionKey key
                && serverUid.equals(key.serverUid)
                && connection.equals(key.connection);
    }

    @Override
    public int hashCode() {
        return 31 * serverUid.hashCode() + connection.hashCode();
    }

    /** Leaves the digest out: a short secret could be guessed from it. */
    @Override
    public String toString() {
        return "SessionKey[serverUid=" + serverUid + ", generation=" + generation + "]";
    }

    /** Each part with its length before it, so that no two lists of parts look the same. */
    private static final class Digest {

        private final MessageDigest sha256;

        Digest() {
            try {
                sha256 = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every JDK has SHA-256", e);
            }
        }

        void add(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            add(bytes.length);
            sha256.update(bytes);
        }

        void add(Collection<String> texts) {
            add(texts.size());
            texts.forEach(this::add);
        }

        void add(Map<String, String> texts) {
            add(texts.size());
            new TreeMap<>(texts).forEach((name, value) -> add(List.of(name, value)));
        }

        private void add(int number) {
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
        }

        String hex() {
            return HexFormat.of().formatHex(sha256.digest());
        }
    }
}
