package dev.orloj.server.audit;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.properties.AuditProperties.FailurePolicy;

import jakarta.servlet.http.HttpServletRequest;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes the events of requests. A request leaves a record in memory and goes on: it never waits for
 * the database. Thread-safe.
 */
final class AuditLog implements CallAudit {

    private final AuditQueue queue;
    private final FailurePolicy policy;
    private final InstantSource clock;

    AuditLog(AuditQueue queue, FailurePolicy policy, InstantSource clock) {
        this.queue = queue;
        this.policy = policy;
        this.clock = clock;
    }

    /**
     * Makes sure that the event of a request can be recorded, if the policy wants that.
     *
     * @return whether there is a place in the queue, which {@link #add} takes
     * @throws ApiException (ServiceUnavailable) when it cannot, and the request must not be served
     */
    boolean reserve() {
        if (policy == FailurePolicy.IGNORE) {
            return false;
        }
        if (!queue.isWritable() || !queue.reserve()) {
            queue.refused();
            throw new ApiException(
                    ErrorReason.SERVICE_UNAVAILABLE,
                    "the audit log cannot be written, and orloj.audit.failure-policy"
                            + " (--audit-failure-policy) is fail: nothing was done; see the log of"
                            + " orlojd");
        }
        return true;
    }

    AuditEntry.Received received(HttpServletRequest request) {
        return AuditEntry.Received.of(request, clock.instant());
    }

    /** Adds what became of a request. */
    void add(
            AuditEntry.Received received,
            HttpServletRequest request,
            Outcome outcome,
            boolean own) {
        UserInfo user = AuthenticationGuard.authenticated(request).orElse(UserInfo.ANONYMOUS);
        queue.add(
                new AuditEntry(
                        received,
                        user,
                        AuthenticationGuard.user(request).filter(who -> !who.equals(user)),
                        Optional.empty(),
                        outcome.code(),
                        outcome.name(),
                        outcome.callId(),
                        "",
                        received.elapsed()),
                own);
    }

    /**
     * What became of a request.
     *
     * @param name of the resource that it created
     */
    record Outcome(int code, String name, String callId) {}

    @Override
    public Call begin(HttpServletRequest request, ResourceKey tool) {
        boolean own = reserve();
        UserInfo user = AuthenticationGuard.authenticated(request).orElse(UserInfo.ANONYMOUS);
        return new Called(
                received(request),
                user,
                AuthenticationGuard.user(request).filter(who -> !who.equals(user)),
                own,
                tool);
    }

    /** A call of MCP. Its request may be over before it ends. */
    private final class Called implements Call {

        private final AuditEntry.Received received;
        private final UserInfo user;
        private final Optional<UserInfo> impersonated;
        private final boolean own;
        private final AtomicBoolean ended = new AtomicBoolean();
        private ResourceKey tool;
        private CallId id = CallId.NONE;

        Called(
                AuditEntry.Received received,
                UserInfo user,
                Optional<UserInfo> impersonated,
                boolean own,
                ResourceKey tool) {
            this.received = received;
            this.user = user;
            this.impersonated = impersonated;
            this.own = own;
            this.tool = tool;
        }

        @Override
        public void found(ResourceKey found, CallId call) {
            tool = found;
            id = call;
        }

        @Override
        public void ended(int code, String error) {
            if (ended.compareAndSet(false, true)) {
                queue.add(
                        new AuditEntry(
                                received,
                                user,
                                impersonated,
                                Optional.of(tool),
                                code,
                                "",
                                id.text(),
                                error,
                                received.elapsed()),
                        own);
            }
        }
    }
}
