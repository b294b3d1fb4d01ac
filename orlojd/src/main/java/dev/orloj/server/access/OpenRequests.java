package dev.orloj.server.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.authentication.Credential;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.disconnect.ClientDisconnects;

import jakarta.servlet.http.HttpServletRequest;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends the requests in progress whose user has lost the right to them, or whose credential has
 * ended: watches, logs, streams and calls would otherwise go on for as long as their client likes.
 * Thread-safe.
 */
final class OpenRequests implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OpenRequests.class);
    private static final long PERIOD_MILLIS = 500;

    private final RbacAuthorizer authorizer;
    private final Set<Open> open = ConcurrentHashMap.newKeySet();
    private final Set<Watching> watching = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService rounds =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-revocation").factory());
    private long checked;

    OpenRequests(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
        rounds.scheduleWithFixedDelay(
                this::round, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** One request, until its own thread closes this. */
    final class Open implements AutoCloseable {

        private final HttpServletRequest request;
        private final UserInfo user;
        private final List<Attributes> parts;
        private final Optional<Credential> credential;

        @GuardedBy("this")
        private boolean over;

        private Open(HttpServletRequest request, UserInfo user, List<Attributes> parts) {
            this.request = request;
            this.user = user;
            this.parts = parts;
            this.credential = Credential.of(request);
        }

        private boolean isAllowed() {
            return allows(user, parts);
        }

        private boolean isAuthentic() {
            return credential.map(Credential::isValid).orElse(true);
        }

        /** Tomcat uses the request again after its end. */
        private synchronized void end() {
            if (!over) {
                ClientDisconnects.disconnect(request);
            }
        }

        @Override
        public void close() {
            open.remove(this);
            synchronized (this) {
                over = true;
            }
        }
    }

    /** Returns the number of changes to roles, to be read before a decision. */
    long asOf() {
        return authorizer.changes();
    }

    /**
     * @param asOf which roles the request was allowed by: a later change may have been checked
     *     before the request was known here
     */
    Open begin(HttpServletRequest request, UserInfo user, List<Attributes> parts, long asOf) {
        Open begun = new Open(request, user, parts);
        open.add(begun);
        if (authorizer.changes() != asOf && !begun.isAllowed()) {
            begun.end();
        }
        return begun;
    }

    boolean allows(UserInfo user, List<Attributes> parts) {
        return parts.stream().allMatch(part -> authorizer.decide(user, part).allowed());
    }

    /** Work that depends on roles. Compared by identity: equal callbacks are separate. */
    private static final class Watching {

        private final Runnable changed;

        Watching(Runnable changed) {
            this.changed = changed;
        }
    }

    /** Runs the callback after each change of roles, until the watch is closed. */
    Rights.Watch watch(Runnable changed) {
        Watching begun = new Watching(changed);
        watching.add(begun);
        return () -> watching.remove(begun);
    }

    private void round() {
        endWithoutCredential();
        long changes = authorizer.changes();
        if (changes == checked) {
            return;
        }
        checked = changes;
        for (Open each : open) {
            try {
                if (!each.isAllowed()) {
                    log.atInfo()
                            .addKeyValue("user", each.user.username())
                            .log("Request ended, because its user has lost the right to it");
                    each.end();
                }
            } catch (RuntimeException e) { // would end all later rounds
                log.atError().setCause(e).log("Request could not be checked again");
            }
        }
        for (Watching each : watching) {
            try {
                each.changed.run();
            } catch (RuntimeException e) { // would end all later rounds
                log.atError().setCause(e).log("Work could not be checked again");
            }
        }
    }

    private void endWithoutCredential() {
        for (Open each : open) {
            try {
                if (!each.isAuthentic()) {
                    log.atInfo()
                            .addKeyValue("user", each.user.username())
                            .log("Request ended, because its credential has ended");
                    each.end();
                }
            } catch (RuntimeException e) { // such as that of a database that is away
                log.atDebug().setCause(e).log("Credential could not be checked again");
            }
        }
    }

    @Override
    public void close() {
        rounds.shutdownNow();
    }
}
