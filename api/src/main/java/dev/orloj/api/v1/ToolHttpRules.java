package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.core.SecretRef;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Validates the request of a declared Tool. Does not validate the endpoint: the status and the
 * errors of calls report a missing or wrong one.
 */
final class ToolHttpRules {

    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final int MAX_PARAMETERS = 100;

    /** The header that Orloj writes, in addition to those that HTTP itself writes. */
    private static final String GATEWAYS = "orloj-gateways";

    private ToolHttpRules() {}

    static List<FieldError> validate(Tool tool) {
        List<FieldError> errors = new ArrayList<>();
        Tool.Spec spec = tool.spec();
        if (spec.type().equals(Tool.TYPE_MCP)) {
            refuseRequest(spec, errors);
            return errors;
        }
        Tool.Request request = spec.request();
        validateAuth(request.auth(), errors);
        validateParameters(SPEC.child("headers"), request.headers(), errors);
        validateParameters(SPEC.child("query"), request.query(), errors);
        validateHeaders(request, errors);
        if (request.body() != null
                && (request.method() == Tool.Method.GET
                        || request.method() == Tool.Method.DELETE)) {
            errors.add(
                    FieldError.forbidden(
                            SPEC.child("body"), "only with method POST, PUT and PATCH"));
        }
        return errors;
    }

    private static void refuseRequest(Tool.Spec spec, List<FieldError> errors) {
        Tool.Request request = spec.request();
        forbid(request.method() != null, "method", errors);
        forbid(request.auth() != null, "auth", errors);
        forbid(!request.headers().isEmpty(), "headers", errors);
        forbid(!request.query().isEmpty(), "query", errors);
        forbid(request.body() != null, "body", errors);
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

    private static void validateAuth(@Nullable HttpAuth auth, List<FieldError> errors) {
        if (auth == null) {
            return;
        }
        FieldPath path = SPEC.child("auth");
        SecretRef.check(path.child("secretRef"), auth.secretRef()).ifPresent(errors::add);
        if (!HttpHeaderRules.isName(auth.header())
                || isReserved(auth.header().toLowerCase(Locale.ROOT))) {
            errors.add(
                    FieldError.invalid(
                            path.child("headerName"),
                            auth.headerName(),
                            "must be the name of an HTTP header that Orloj does not write itself"));
        }
    }

    private static void validateHeaders(Tool.Request request, List<FieldError> errors) {
        Set<String> names = new HashSet<>();
        if (request.auth() != null) {
            names.add(request.auth().header().toLowerCase(Locale.ROOT));
        }
        for (int i = 0; i < request.headers().size(); i++) {
            McpServer.Header header = request.headers().get(i);
            FieldPath path = SPEC.child("headers").index(i);
            HttpHeaderRules.validateName(path, header, ToolHttpRules::isReserved, names, errors);
            HttpHeaderRules.validateValue(path, header, errors);
        }
    }

    private static boolean isReserved(String name) {
        return HttpHeaderRules.isWrittenByHttp(name) || name.equals(GATEWAYS);
    }

    private static void validateParameters(
            FieldPath list, List<McpServer.Header> parameters, List<FieldError> errors) {
        if (parameters.size() > MAX_PARAMETERS) {
            errors.add(FieldError.tooMany(list, parameters.size(), MAX_PARAMETERS, "entries"));
        }
        for (int i = 0; i < parameters.size(); i++) {
            HttpHeaderRules.validateSource(list.index(i), parameters.get(i), errors);
        }
    }
}
