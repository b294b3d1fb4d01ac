package dev.orloj.server.access;

import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.authorization.UserInfo;

/** The rights of one user, by the roles of the store. Thread-safe. */
final class UserRights implements Rights {

    private final UserInfo user;
    private final KnownRights known;
    private final OpenRequests open;

    UserRights(UserInfo user, KnownRights known, OpenRequests open) {
        this.user = user;
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
    public boolean dependOnUser() {
        return true;
    }

    @Override
    public Watch watch(Runnable changed) {
        return open.watch(changed);
    }
}
