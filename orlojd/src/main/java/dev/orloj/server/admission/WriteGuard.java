package dev.orloj.server.admission;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.server.authorization.UserInfo;

import java.util.Optional;

/**
 * Refuses writes that need more than the verb on their kind, such as one that grants rights. Safe
 * for many threads.
 */
@FunctionalInterface
public interface WriteGuard {

    /** Refuses nothing. */
    WriteGuard NONE = (user, kind, after, before) -> {};

    /**
     * @param before the stored resource, if there is one
     * @throws dev.orloj.api.ApiException (Forbidden) when the user may not write the resource
     */
    void check(UserInfo user, Kind<?> kind, Resource after, Optional<? extends Resource> before);
}
