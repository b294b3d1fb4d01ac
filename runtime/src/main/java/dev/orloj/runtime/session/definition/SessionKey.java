package dev.orloj.runtime.session.definition;

/**
 * What a session was opened for. Two keys are equal when one session serves both: the same server
 * over the same connection. A server whose key changes gets a new session; changes of anything else
 * reach the session that is open.
 *
 * @param generation of the manifest; no part of equality, it tells which of two keys is newer
 * @param connection all that the connection depends on, secrets resolved; compared by value
 */
public record SessionKey(String serverUid, long generation, Object connection) {

    /**
     * Whether this is another connection of an earlier generation of the same server. Other
     * differences have no order.
     */
    public boolean isOlderThan(SessionKey other) {
        return serverUid.equals(other.serverUid)
                && generation < other.generation
                && !connection.equals(other.connection);
    }

    /** Whether a session of this key is good enough for whoever wants the other one. */
    public boolean serves(SessionKey wanted) {
        return equals(wanted) || wanted.isOlderThan(this);
    }

    /** Whether it is of the same manifest too: what failed for one will fail for the other. */
    public boolean isSameAs(SessionKey other) {
        return equals(other) && generation == other.generation;
    }

    /** Whether the same server is now to be reached as the other key says. */
    public boolean isSucceededBy(SessionKey next) {
        return serverUid.equals(next.serverUid) && !serves(next);
    }

    /** Why a session of this key ends, for people. */
    public String replacedBy(SessionKey next) {
        return next.generation == generation
                ? "replaced: a value that it uses has changed, or a restart was asked for"
                : "replaced by generation " + next.generation;
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

    /** Leaves the connection out, for there are secrets in it. */
    @Override
    public String toString() {
        return "SessionKey[serverUid=" + serverUid + ", generation=" + generation + "]";
    }
}
