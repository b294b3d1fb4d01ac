package dev.orloj.runtime.session.definition;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.examination.ResultPolicy;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.subject.SubjectIdentifier;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.workload.SecretValues;

import java.time.Duration;

/**
 * Holds everything that is needed to open a session with one server, with secrets resolved. {@code
 * toString} shows no secret.
 *
 * @param requestPolicy which requests the server may send to clients during their calls; part of
 *     the key, too
 * @param argumentMode how arguments that do not match the schema of their tool are handled
 * @param maxMessageBytes the longest message that is read from the server, if that is shorter than
 *     orlojd allows; part of the key, too
 * @param resultPolicy what happens with results that have what they should not have
 * @param secrets values that the server gets, and that its log must not show; not part of the key,
 *     which has them as parts of the connection
 * @param hasToolPolicy whether a policy decides which definitions of the server are served
 */
public record ServerDefinition(
        ResourceKey server,
        SessionKey key,
        ServerAddress address,
        ReconnectPolicy reconnect,
        Timeouts timeouts,
        CallLimits limits,
        SessionPolicy policy,
        OutputLimit output,
        SessionSharing sharing,
        ServerRequestPolicy requestPolicy,
        ArgumentMode argumentMode,
        int maxMessageBytes,
        ResultPolicy resultPolicy,
        SecretValues secrets,
        boolean hasToolPolicy) {

    /** No limit but that of orlojd. */
    public static final int ANY_MESSAGE = Integer.MAX_VALUE;

    /**
     * Creates a definition with defaults: the default limits of calls, converted arguments, one
     * shared session without a maximum age, and results of any length, which are not examined.
     */
    public ServerDefinition(
            ResourceKey server,
            SessionKey key,
            ServerAddress address,
            ReconnectPolicy reconnect,
            Timeouts timeouts) {
        this(
                server,
                key,
                address,
                reconnect,
                timeouts,
                CallLimits.DEFAULT,
                SessionPolicy.NONE,
                OutputLimit.NONE,
                SessionSharing.ONE,
                ServerRequestPolicy.DEFAULT,
                ArgumentMode.COERCE,
                ANY_MESSAGE,
                ResultPolicy.OFF,
                SecretValues.NONE,
                false);
    }

    public ServerDefinition withIdleTimeout(Duration replacement) {
        return with(key, address, timeouts.withIdle(replacement));
    }

    /**
     * Returns whether requests of users are sent on behalf of these users, in their own sessions.
     */
    public boolean isPerUser() {
        return address.isPerUser();
    }

    /** Returns whether this is for the sessions of one user. */
    public boolean isOfUser() {
        return key.subject().isPresent();
    }

    /** Returns the definition for the sessions of this user. */
    public ServerDefinition onBehalfOf(SubjectIdentifier user) {
        return isPerUser() ? with(key.onBehalfOf(user), address.onBehalfOf(user), timeouts) : this;
    }

    private ServerDefinition with(
            SessionKey otherKey, ServerAddress otherAddress, Timeouts otherTimeouts) {
        return new ServerDefinition(
                server,
                otherKey,
                otherAddress,
                reconnect,
                otherTimeouts,
                limits,
                policy,
                output,
                sharing,
                requestPolicy,
                argumentMode,
                maxMessageBytes,
                resultPolicy,
                secrets,
                hasToolPolicy);
    }
}
