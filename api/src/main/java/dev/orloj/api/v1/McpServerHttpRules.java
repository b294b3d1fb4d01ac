package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.GoDuration;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.oauth.OAuthClientRules;
import dev.orloj.api.pod.ScaleTargetRef;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Validates a server that is reached over HTTP. */
final class McpServerHttpRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    /** The headers that the transports write, in addition to those that HTTP itself writes. */
    private static final Set<String> RESERVED = Set.of("accept", "content-type", "last-event-id");

    private static final String RESERVED_PREFIX = "mcp-";

    /** Shorter than in Kubernetes, because the name of its Lease has a prefix. */
    private static final Pattern TARGET_NAME =
            Pattern.compile("[a-z0-9](?:[-a-z0-9.]{0,198}[a-z0-9])?");

    private McpServerHttpRules() {}

    static void validate(McpServerSpec spec, List<FieldError> errors) {
        McpServerSpec.Http http = spec.http();
        McpServerSpec.Program program = spec.program();
        if (http.endpoint().isBlank()) {
            errors.add(
                    FieldError.required(
                            SPEC.child("endpoint"),
                            "endpoint is required with transport http and sse"));
        } else {
            checkEndpoint(http.endpoint()).ifPresent(errors::add);
        }
        if (http.auth() != null) {
            validateAuth(http.auth(), errors);
        }
        validateHeaders(http, errors);
        if (http.scaleTargetRef() != null) {
            validateScaleTarget(http.scaleTargetRef(), spec.lifetime(), errors);
        }
        String why = "only with transport stdio";
        McpServerRules.forbid(!program.command().isEmpty(), "command", why, errors);
        McpServerRules.forbid(!program.args().isEmpty(), "args", why, errors);
        McpServerRules.forbid(!program.env().isEmpty(), "env", why, errors);
        McpServerRules.forbid(!program.envFrom().isEmpty(), "env_from", why, errors);
        McpServerRules.forbid(
                spec.lifetime().shutdownGrace() != null, "shutdown_grace", why, errors);
    }

    /** Requires sessions that end: the target is never scaled to zero while one is open. */
    private static void validateScaleTarget(
            ScaleTargetRef target, McpServerSpec.Lifetime lifetime, List<FieldError> errors) {
        FieldPath path = SPEC.child("scale_target_ref");
        if (!TARGET_NAME.matcher(target.name()).matches()) {
            errors.add(
                    FieldError.invalid(
                            path.child("name"),
                            target.name(),
                            "must be the name of a Deployment or StatefulSet: at most 200 lower"
                                    + " case letters, digits, '-' and '.', with a letter or digit"
                                    + " at both ends"));
        }
        GoDuration idle = lifetime.idleTimeout();
        if (!lifetime.startsOnDemand() || (idle != null && idle.toDuration().isZero())) {
            errors.add(
                    FieldError.forbidden(
                            path,
                            "a server whose sessions stay open is never idle; set lifecycle:"
                                    + " on_demand, and idle_timeout to more than 0 or not at all"));
        }
    }

    private static void validateAuth(McpServerSpec.Auth auth, List<FieldError> errors) {
        FieldPath path = SPEC.child("auth");
        OAuthClient oauth = auth.oauth();
        if (oauth != null) {
            validateOAuth(path, auth, oauth, errors);
            return;
        }
        if (auth.secretRef().isEmpty()) {
            errors.add(FieldError.required(path.child("secretRef"), "give secretRef or oauth"));
            return;
        }
        SecretRef.check(path.child("secretRef"), auth.secretRef()).ifPresent(errors::add);
        String header = auth.headerName();
        if (!header.isEmpty() && !HttpHeaderRules.isName(header)) {
            errors.add(
                    FieldError.invalid(
                            path.child("headerName"),
                            header,
                            "must be the name of an HTTP header"));
        }
    }

    private static void validateOAuth(
            FieldPath path, McpServerSpec.Auth auth, OAuthClient oauth, List<FieldError> errors) {
        if (!auth.secretRef().isEmpty()) {
            errors.add(
                    FieldError.forbidden(
                            path.child("secretRef"), "secretRef and oauth exclude each other"));
        }
        if (auth.profile() != HttpAuth.Profile.BEARER) {
            errors.add(
                    FieldError.forbidden(
                            path.child("profile"), "access tokens of oauth are sent as bearer"));
        }
        OAuthClientRules.validate(path.child("oauth"), oauth, errors);
    }

    private static void validateHeaders(McpServerSpec.Http http, List<FieldError> errors) {
        Set<String> names = new HashSet<>();
        McpServerSpec.Auth auth = http.auth();
        if (auth != null) {
            names.add(auth.http().header().toLowerCase(Locale.ROOT));
        }
        for (int i = 0; i < http.headers().size(); i++) {
            McpServer.Header header = http.headers().get(i);
            FieldPath path = SPEC.child("headers").index(i);
            HttpHeaderRules.validateName(
                    path, header, McpServerHttpRules::isReserved, names, errors);
            HttpHeaderRules.validateSource(path, header, errors);
            if (header.secretRef().isEmpty()) {
                HttpHeaderRules.validateValue(path, header, errors);
            }
        }
    }

    private static boolean isReserved(String name) {
        return HttpHeaderRules.isWrittenByHttp(name)
                || RESERVED.contains(name)
                || name.startsWith(RESERVED_PREFIX);
    }

    private static Optional<FieldError> checkEndpoint(String endpoint) {
        FieldPath path = SPEC.child("endpoint");
        try {
            URI uri = new URI(endpoint);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
                return Optional.of(
                        FieldError.invalid(
                                path,
                                endpoint,
                                "must be a URL such as https://mcp.example.com/mcp"));
            }
            if (uri.getUserInfo() != null) {
                return Optional.of(
                        FieldError.forbidden(
                                path, "credentials in a URL; put them into a Secret and use auth"));
            }
            return Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.of(
                    FieldError.invalid(path, endpoint, "must be a URL: " + e.getReason()));
        }
    }
}
