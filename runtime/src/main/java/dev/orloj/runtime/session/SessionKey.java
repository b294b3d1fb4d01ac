package dev.orloj.runtime.session;

/**
 * What a session was opened for. A server whose key changes gets a new session.
 *
 * @param secretsDigest digest of the values of all secrets that the server uses
 */
public record SessionKey(String serverUid, long generation, String secretsDigest) {

    /**
     * Whether this is an earlier generation of the same server. Other differences have no order.
     */
    boolean isOlderThan(SessionKey other) {
        return serverUid.equals(other.serverUid) && generation < other.generation;
    }

    /** Leaves the digest out: a short secret could be guessed from it. */
    @Override
    public String toString() {
        return "SessionKey[serverUid=" + serverUid + ", generation=" + generation + "]";
    }
}
