package dev.orloj.server.authentication;

import dev.orloj.api.ErrorReason;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.security.Refusals;
import dev.orloj.server.security.RequestGuard;
import dev.orloj.server.security.SecuredPorts;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Requires a valid credential on the ports that are not open to all clients. The first
 * authenticator that finds one decides; a credential that does not count is 401, and is never
 * treated as none.
 */
public final class AuthenticationGuard implements RequestGuard {

    /** The scheme of the credentials that replicas send each other. */
    public static final String REPLICA_SCHEME = "Orloj-Replica ";

    private static final Logger log = LoggerFactory.getLogger(AuthenticationGuard.class);

    /** Paths for probes and for clients that look for a server. */
    private static final Set<String> OPEN =
            Set.of("/healthz", "/livez", "/readyz", "/version", "/version/");

    private static final String AUTHENTICATED = AuthenticationGuard.class.getName();

    private final List<Authenticator> authenticators;
    private final Challenge challenge;
    private final SecuredPorts ports;

    public AuthenticationGuard(
            List<Authenticator> authenticators, Challenge challenge, SecuredPorts ports) {
        this.ports = ports;
        this.authenticators = List.copyOf(authenticators);
        this.challenge = challenge;
    }

    /** Returns the user of a request; empty on the port that does not authenticate. */
    public static Optional<UserInfo> user(HttpServletRequest request) {
        return Optional.ofNullable((UserInfo) request.getAttribute(UserInfo.class.getName()));
    }

    /** Returns the user whose credential a request has, also when it acts as another one. */
    public static Optional<UserInfo> authenticated(HttpServletRequest request) {
        return Optional.ofNullable((UserInfo) request.getAttribute(AUTHENTICATED));
    }

    /**
     * Returns the name that distinguishes the calls and sessions of users. All clients of an open
     * port have one name, which is that of no user. An external issuer may give a name to another
     * user later, but not what it calls them itself; a token that is refreshed changes neither. A
     * ServiceAccount that is created again has another uid.
     */
    public static String caller(HttpServletRequest request) {
        return user(request)
                .map(AuthenticationGuard::name)
                .map(name -> name.equals(CallRequest.ANYBODY) ? "user " + name : name)
                .orElse(CallRequest.ANYBODY);
    }

    private static String name(UserInfo user) {
        List<String> issuer = user.extra().getOrDefault(UserInfo.ISSUER, List.of());
        List<String> subject = user.extra().getOrDefault(UserInfo.SUBJECT, List.of());
        if (issuer.isEmpty() && subject.isEmpty()) {
            return user.uid().isEmpty()
                    ? user.username()
                    : user.username() + " (" + user.uid() + ")";
        }
        return user.username()
                + " ("
                + String.join(" ", subject)
                + " of "
                + String.join(" ", issuer)
                + ")";
    }

    /** Returns the name of the user of a request; empty on the port that does not authenticate. */
    public static String userName(HttpServletRequest request) {
        return user(request).isPresent() ? caller(request) : "";
    }

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (!ports.received(request) || isFromReplica(request)) {
            return true;
        }
        Optional<UserInfo> user;
        try {
            user = authenticate(request);
        } catch (InvalidCredentialException e) {
            log.atInfo()
                    .addKeyValue("client", request.getRemoteAddr())
                    .addKeyValue("cause", e.getMessage())
                    .log("Request with an invalid credential");
            refuse(request, response);
            return false;
        }
        if (user.isEmpty() && !OPEN.contains(request.getRequestURI())) {
            refuse(request, response);
            return false;
        }
        UserInfo who = user.orElse(UserInfo.ANONYMOUS);
        request.setAttribute(AUTHENTICATED, who);
        request.setAttribute(UserInfo.class.getName(), who);
        return true;
    }

    /**
     * Returns whether the endpoint of the replicas serves a request, which has tokens of its own.
     * The path of the request would not do: it is not normalized.
     */
    private static boolean isFromReplica(HttpServletRequest request) {
        if (!request.getServletPath().equals("/internal/replicas")) {
            return false;
        }
        String credential = request.getHeader("Authorization");
        return !SecuredPorts.isEncrypted(request)
                || credential != null && credential.startsWith(REPLICA_SCHEME);
    }

    private Optional<UserInfo> authenticate(HttpServletRequest request)
            throws InvalidCredentialException {
        for (Authenticator authenticator : authenticators) {
            Optional<UserInfo> user = authenticator.authenticate(request);
            if (user.isPresent()) {
                return user;
            }
        }
        return Optional.empty();
    }

    /** Clients of MCP look for the header; those of Kubernetes do without. */
    private void refuse(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        challenge
                .forRequest(request, BearerToken.of(request).isPresent())
                .ifPresent(header -> response.setHeader("WWW-Authenticate", header));
        Refusals.send(response, ErrorReason.UNAUTHORIZED, "Unauthorized");
    }
}
