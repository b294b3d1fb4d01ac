package dev.orloj.runtime.session;

import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.client.ServerExitedException;
import dev.orloj.runtime.client.VersionNegotiation;
import dev.orloj.runtime.code.CodeHeldException;
import dev.orloj.runtime.code.CodeInspection;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.http.HttpStatusException;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Opens one session, in as many attempts as its reconnect policy allows, with a wait between two.
 */
final class OpeningAttempts {

    private static final Logger logger = LoggerFactory.getLogger(OpeningAttempts.class);

    private final SessionSlot slot;
    private final SessionContext context;

    private volatile ServerDefinition definition;

    /** Start of the opening; after a wait for the start of the process, the end of that wait. */
    private volatile Instant startedAt;

    /** Number of attempts that have failed. */
    private int failures;

    /** The session that {@link #openOnce} opens. */
    private volatile @Nullable Session current;

    OpeningAttempts(ServerDefinition definition, SessionSlot slot, SessionContext context) {
        this.definition = definition;
        this.slot = slot;
        this.context = context;
        this.startedAt = context.clock().instant();
    }

    Instant startedAt() {
        return startedAt;
    }

    ServerDefinition definition() {
        return definition;
    }

    /** Applies a changed definition of the same key to the attempts that follow. */
    void follow(ServerDefinition changed) {
        definition = changed;
    }

    /** Returns the session that is opening now. */
    Optional<Session> current() {
        return Optional.ofNullable(current);
    }

    /**
     * Opens the session. Runs once.
     *
     * @throws SessionOpenException when no attempt succeeded, or the thread was interrupted
     */
    Session open() {
        for (int attempt = 1; ; attempt++) {
            failures = attempt - 1;
            try {
                return openOnceOrAsLegacy();
            } catch (InterruptedException e) {
                throw failure(attempt, "the opening was broken off", e);
            } catch (McpProtocolException e) {
                throw failure(attempt, why(e), e);
            } catch (RuntimeException e) {
                if (attempt >= mostAttempts() || !mayPass(e)) {
                    throw failure(attempt, why(e), e);
                }
                backOff(attempt, e);
            }
        }
    }

    /**
     * Returns the maximum number of attempts: that of the manifest, or one after a failed opening.
     */
    private int mostAttempts() {
        return slot.server().openingFailures().inARow(definition.key()) > 0
                ? 1
                : definition.reconnect().maxAttempts();
    }

    /**
     * Returns whether a retry may succeed. A missing program or image does not appear within
     * seconds, and repeated attempts with wrong credentials may lock an account.
     */
    private static boolean mayPass(RuntimeException failure) {
        return !(failure.getCause() instanceof WorkloadException)
                && !(failure instanceof CodeHeldException)
                && !(failure instanceof HttpStatusException status && status.isForCredentials())
                && OAuthException.in(failure).map(OAuthException::mayPass).orElse(true);
    }

    /** Opens the session; if a program ended on the probe, starts it again without the probe. */
    private Session openOnceOrAsLegacy() throws InterruptedException {
        try {
            return openOnce();
        } catch (ServerExitedException e) {
            slot.server().traits().rememberAsLegacy(definition.key());
            return openOnce();
        }
    }

    private Session openOnce() throws InterruptedException {
        return openOnce(definition.address());
    }

    /** Opens the session; if a server that ran already does not serve it, starts it anew. */
    private Session openOnce(ServerAddress address) throws InterruptedException {
        LogBuffer log = slot.server().log();
        slot.server().hide(definition.secrets());
        String label = definition.server().toString();
        Transport transport =
                context.transports().create(address, log, label, definition.maxMessageBytes());
        Session next =
                new Session(slot.server().nextId(), definition, transport, context, new Host());
        current = next;
        boolean isOpen = false;
        try (Starts.Start _ = start(next)) {
            context.notifyState(
                    definition,
                    listener -> listener.starting(definition.server(), definition.key()));
            VersionNegotiation.NegotiatedServer met =
                    next.open(
                            context.settings().clientVersion(),
                            definition.address() instanceof ServerAddress.Sse
                                    || slot.server().traits().isKnownAsLegacy(definition.key()));
            isOpen = true;
            slot.server().traits().negotiated(definition, met);
            admit(next, transport);
            return next;
        } catch (RuntimeException e) { // rethrown, unless the server is started anew
            if (isOpen || transport.earlierConnections() == 0) {
                throw e;
            }
            replaceAdopted(transport, e);
        } finally {
            current = null;
        }
        return openOnce(address.startedAnew());
    }

    private void replaceAdopted(Transport adopted, RuntimeException cause) {
        if (cause instanceof ServerExitedException) {
            slot.server().traits().rememberAsLegacy(definition.key());
        }
        String container = adopted.container().map(ContainerRef::name).orElse("");
        String why = definition.secrets().hide(why(cause));
        logger.atWarn()
                .addKeyValue("server", definition.server())
                .addKeyValue("container", container)
                .addKeyValue("error", why)
                .log("Server that ran already is started anew");
        context.notifyState(
                definition, listener -> listener.notAdopted(definition.server(), container, why));
    }

    /** Ends a session that may not be used because of what runs in it. */
    private void admit(Session opened, Transport transport) throws InterruptedException {
        try {
            context.gate().admit(definition, CodeInspection.of(definition.address(), transport));
            if (definition.hasToolPolicy()) {
                CodeInspection.keepIssuer(transport);
            }
        } catch (RuntimeException e) { // rethrown
            opened.drain("it was not admitted", Duration.ZERO);
            opened.finish();
            throw e;
        }
    }

    /**
     * Waits for a slot if a process is started on this machine; returns null for a server that runs
     * already.
     */
    private Starts.@Nullable Start start(Session next) throws InterruptedException {
        return switch (definition.address()) {
            case ServerAddress.Stdio _, ServerAddress.Container _, ServerAddress.Exec _ -> {
                Starts.Start start =
                        context.starts().begin(definition.server(), isRetry(), next::pid);
                startedAt = context.clock().instant();
                yield start;
            }
            // Only processes of this machine wait for each other.
            case ServerAddress.Pod _, ServerAddress.Http _, ServerAddress.Sse _ -> null;
        };
    }

    private boolean isRetry() {
        return failures > 0 || slot.server().openingFailures().inARow(definition.key()) > 0;
    }

    private final class Host implements Session.Host {

        @Override
        public void expired(Session session, String reason) {
            slot.renew(new SessionSupervisor.Renewal(session, reason));
        }

        @Override
        public void unattributed() {
            slot.server().traits().rememberAsUnclear(definition.key());
        }

        @Override
        public boolean isOwnedByClient() {
            return slot.isOwnedByClient();
        }

        @Override
        public void listChanged(Session session, ServerList list) {
            slot.server().announced(session, list);
        }
    }

    private void backOff(int failures, RuntimeException cause) {
        Duration delay = definition.reconnect().delayAfter(failures, context.random());
        logger.atWarn()
                .addKeyValue("server", definition.server())
                .addKeyValue("attempt", failures)
                .addKeyValue("of", definition.reconnect().maxAttempts())
                .addKeyValue("retryIn", delay)
                .addKeyValue("error", definition.secrets().hide(why(cause)))
                .log("Session did not open");
        FailedAttempt attempt =
                new FailedAttempt(
                        definition.key(),
                        failures,
                        definition.reconnect().maxAttempts(),
                        why(cause),
                        delay);
        context.notifyState(
                definition, listener -> listener.attemptFailed(definition.server(), attempt));
        try {
            context.clock().await(delay);
        } catch (InterruptedException e) {
            throw failure(failures, "the opening was broken off after: " + why(cause), cause);
        }
    }

    /** Creates the failure of the opening. */
    SessionOpenException failure(int attempts, String why, @Nullable Throwable cause) {
        return new SessionOpenException(definition.server(), attempts, why, cause);
    }

    static String why(Throwable cause) {
        return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    }
}
