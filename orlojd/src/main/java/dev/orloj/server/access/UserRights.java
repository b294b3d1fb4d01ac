package dev.orloj.server.access;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.authorization.UserInfo;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The rights of one user, by the roles of the store. Thread-safe. */
final class UserRights implements Rights {

    private final UserInfo user;
    private final List<Attributes> request;
    private final KnownRights known;
    private final OpenRequests open;

    /** What the last answer was read from: most requests are about one namespace. */
    private volatile @Nullable Seen seen;

    /**
     * @param asOf the number of changes of roles that the names include
     */
    private record Seen(String namespace, long asOf, KnownRights.Names names) {}

    /**
     * @param request what the user needs a right to for the request itself
     */
    UserRights(UserInfo user, List<Attributes> request, KnownRights known, OpenRequests open) {
        this.user = user;
        this.request = List.copyOf(request);
        this.known = known;
        this.open = open;
    }

    @Override
    public GrantedNames tools(String namespace) {
        return names(namespace).tools();
    }

    @Override
    public GrantedNames servers(String namespace) {
        return names(namespace).servers();
    }

    private KnownRights.Names names(String namespace) {
        long asOf = open.asOf();
        Seen last = seen;
        if (last != null && last.asOf() == asOf && last.namespace().equals(namespace)) {
            return last.names();
        }
        KnownRights.Names names = known.of(user, namespace);
        seen = new Seen(namespace, asOf, names);
        return names;
    }

    @Override
    public boolean read(Kind<?> kind, ResourceKey key) {
        return open.allows(
                user,
                List.of(
                        new Attributes.OfResource(
                                "get",
                                kind.group(),
                                kind.plural(),
                                "",
                                key.namespace(),
                                key.name())));
    }

    @Override
    public boolean allowRequest() {
        return open.allows(user, request);
    }

    @Override
    public boolean dependOnUser() {
        return true;
    }

    @Override
    public Watch watch(Runnable changed) {
        return open.watch(changed);
    }
}
