package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.core.SecretRef;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validates the request of a declared Tool. Does not validate the endpoint: the status and the
 * errors of calls report a missing or wrong one.
 */
final class ToolHttpRules {

    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");
    private static final int MOST_PARAMETERS = 100;

    /** The headers that HTTP and Orloj write. */
    private static final Set<String> RESERVED =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "keep-alive",
                    "orloj-gateways",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private ToolHttpRules() {}

    static List<FieldError> validate(Tool tool) {
        List<FieldError> errors = new ArrayList<>();
        Tool.Spec spec = tool.spec();
        if (spec.type().equals(Tool.TYPE_MCP)) {
            refuseRequest(spec, errors);
            return errors;
        }
        validateAuth(spec, errors);
        validateParameters(SPEC.child("headers"), spec.headers(), errors);
        validateParameters(SPEC.child("query"), spec.query(), errors);
        validateHeaders(spec, errors);
        if (spec.body() != null
                && (spec.method() == Tool.Method.GET || spec.method() == Tool.Method.DELETE)) {
            errors.add(
                    FieldError.forbidden(
                            SPEC.child("body"), "only with method POST, PUT and PATCH"));
        }
        return errors;
    }

    private static void refuseRequest(Tool.Spec spec, List<FieldError> errors) {
        forbid(spec.method() != null, "method", errors);
        forbid(spec.auth() != null, "auth", errors);
        forbid(!spec.headers().isEmpty(), "headers", errors);
        forbid(!spec.query().isEmpty(), "query", errors);
        forbid(spec.body() != null, "body", errors);
        forbid(spec.argumentCheck() != null, "argument_check", errors);
    }

    private static void forbid(boolean given, String field, List<FieldError> errors) {
        if (given) {
            errors.add(
                    FieldError.forbidden(
                            SPEC.child(field),
                            "only with type http; the McpServer has it for tools of type mcp"));
        }
    }

    private static void validateAuth(Tool.Spec spec, List<FieldError> errors) {
        McpServer.Auth auth = spec.auth();
        if (auth == null) {
            return;
        }
        FieldPath path = SPEC.child("auth");
        SecretRef.check(path.child("secretRef"), auth.secretRef()).ifPresent(errors::add);
        if (!HEADER_NAME.matcher(auth.header()).matches()
                || RESERVED.contains(auth.header().toLowerCase(Locale.ROOT))) {
            errors.add(
                    FieldError.invalid(
                            path.child("headerName"),
                            auth.headerName(),
                            "must be the name of an HTTP header that Orloj does not write itself"));
        }
    }

    private static void validateHeaders(Tool.Spec spec, List<FieldError> errors) {
        Set<String> names = new HashSet<>();
        if (spec.auth() != null) {
            names.add(spec.auth().header().toLowerCase(Locale.ROOT));
        }
        for (int i = 0; i < spec.headers().size(); i++) {
            McpServer.Header header = spec.headers().get(i);
            FieldPath path = SPEC.child("headers").index(i);
            String name = header.name().toLowerCase(Locale.ROOT);
            if (!HEADER_NAME.matcher(name).matches()) {
                errors.add(
                        FieldError.invalid(
                                path.child("name"),
                                header.name(),
                                "must be the name of an HTTP header"));
            } else if (RESERVED.contains(name)) {
                errors.add(
                        FieldError.forbidden(
                                path.child("name"),
                                "\"%s\" is written by Orloj itself".formatted(header.name())));
            } else if (!names.add(name)) {
                errors.add(FieldError.duplicate(path.child("name"), header.name()));
            }
            if (header.value() != null && !HEADER_VALUE.matcher(header.value()).matches()) {
                errors.add(
                        FieldError.invalid(
                                path.child("value"), "...", "must be printable ASCII on one line"));
            }
        }
    }

    private static void validateParameters(
            FieldPath list, List<McpServer.Header> parameters, List<FieldError> errors) {
        if (parameters.size() > MOST_PARAMETERS) {
            errors.add(FieldError.tooMany(list, parameters.size(), MOST_PARAMETERS, "entries"));
        }
        for (int i = 0; i < parameters.size(); i++) {
            McpServer.Header parameter = parameters.get(i);
            FieldPath path = list.index(i);
            if (parameter.value() != null && !parameter.secretRef().isEmpty()) {
                errors.add(
                        FieldError.invalid(
                                path, parameter.name(), "value and secretRef exclude each other"));
            } else if (parameter.value() == null && parameter.secretRef().isEmpty()) {
                errors.add(FieldError.required(path, "give value or secretRef"));
            }
            if (!parameter.secretRef().isEmpty()) {
                SecretRef.check(path.child("secretRef"), parameter.secretRef())
                        .ifPresent(errors::add);
            }
        }
    }
}
