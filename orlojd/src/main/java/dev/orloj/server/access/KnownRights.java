package dev.orloj.server.access;

import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.authorization.UserInfo;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Keeps the names that users may call and connect to until a role changes, so that a list costs one
 * look-up for each of its items. Thread-safe.
 */
final class KnownRights {

    private static final String ORLOJ = "orloj.dev";

    /** A user and a namespace each; the names come from roles, which are bounded. */
    private static final int MOST = 1_000;

    /** The names of one user in one namespace. */
    record Names(GrantedNames tools, GrantedNames servers) {}

    private record Key(UserInfo user, String namespace) {}

    /**
     * @param asOf the number of changes of roles that the names include
     */
    private record Kept(long asOf, ConcurrentMap<Key, Names> names) {}

    private final RbacAuthorizer authorizer;
    private volatile Kept kept = new Kept(-1, new ConcurrentHashMap<>());

    KnownRights(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    Names of(UserInfo user, String namespace) {
        long asOf = authorizer.changes();
        Kept current = kept;
        if (current.asOf() != asOf || current.names().size() >= MOST) {
            current = new Kept(asOf, new ConcurrentHashMap<>());
            kept = current;
        }
        Key key = new Key(user, namespace);
        Names known = current.names().get(key);
        if (known == null) {
            known =
                    new Names(
                            authorizer.names(user, "call", ORLOJ, "tools", namespace),
                            authorizer.names(user, "connect", ORLOJ, "mcpservers", namespace));
            current.names().put(key, known);
        }
        return known;
    }
}
