package dev.orloj.server.access;

import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.authorization.UserInfo;

import java.util.List;

/** The rights of one user, by the roles of the store. Thread-safe. */
final class UserRights implements Rights {

    private final UserInfo user;
    private final List<Attributes> request;
    private final KnownRights known;
    private final OpenRequests open;

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
        return known.of(user, namespace).tools();
    }

    @Override
    public GrantedNames servers(String namespace) {
        return known.of(user, namespace).servers();
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
