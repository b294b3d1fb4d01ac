package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerToolPolicy;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Validates an McpServer beyond its schema. */
final class McpServerRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private McpServerRules() {}

    /** Accepts the transport in any case and with surrounding white space. */
    static void normalize(ObjectNode document) {
        if (document.get("spec") instanceof ObjectNode spec) {
            JsonNode transport = spec.path("transport");
            if (transport.isString()) {
                spec.put("transport", transport.asString().strip().toLowerCase(Locale.ROOT));
            }
        }
    }

    static List<FieldError> validate(McpServer server) {
        List<FieldError> errors = new ArrayList<>();
        McpServerSpec spec = server.spec();
        switch (spec.transport()) {
            case STDIO -> validateStdio(spec, errors);
            case HTTP, SSE -> McpServerHttpRules.validate(spec, errors);
        }
        EnvRules.validate(SPEC.child("env"), spec.program().env(), errors);
        validateEnvFrom(spec.program().envFrom(), errors);
        McpServerContainerRules.validate(spec, errors);
        McpServerLimitRules.validate(spec, errors);
        validatePins(spec.offer().toolPolicy(), errors);
        return errors;
    }

    private static void validateStdio(McpServerSpec spec, List<FieldError> errors) {
        McpServerSpec.Program program = spec.program();
        if (program.command().isBlank() && spec.container().image().name().isBlank()) {
            errors.add(
                    FieldError.required(
                            SPEC.child("command"),
                            "command is required with transport stdio, unless image is set"));
        }
        requireNoNul(SPEC.child("command"), program.command(), errors);
        for (int i = 0; i < program.args().size(); i++) {
            requireNoNul(SPEC.child("args").index(i), program.args().get(i), errors);
        }
        String why = "only with transport http or sse";
        forbid(!spec.http().endpoint().isEmpty(), "endpoint", why, errors);
        forbid(spec.http().auth() != null, "auth", why, errors);
        forbid(!spec.http().headers().isEmpty(), "headers", why, errors);
        forbid(spec.http().scaleTargetRef() != null, "scale_target_ref", why, errors);
    }

    private static void validateEnvFrom(
            List<McpServer.EnvSource> sources, List<FieldError> errors) {
        for (int i = 0; i < sources.size(); i++) {
            McpServer.EnvSource source = sources.get(i);
            FieldPath path = SPEC.child("env_from").index(i);
            if (source.configMapRef() == null && source.secretRef() == null) {
                errors.add(FieldError.required(path, "give configMapRef or secretRef"));
            }
            if (source.configMapRef() != null && source.secretRef() != null) {
                errors.add(
                        FieldError.invalid(
                                path,
                                source.secretRef().name(),
                                "configMapRef and secretRef exclude each other"));
            }
            if (!source.prefix().isEmpty() && !EnvRules.isName(source.prefix())) {
                errors.add(
                        FieldError.invalid(
                                path.child("prefix"), source.prefix(), "must not contain '='"));
            }
        }
    }

    /** Refuses a name that no definition has: its pin would hold nothing. */
    private static void validatePins(@Nullable ServerToolPolicy policy, List<FieldError> errors) {
        if (policy == null || policy.pins() == null) {
            return;
        }
        FieldPath pins = SPEC.child("tool_policy").child("pins");
        for (String name : policy.pins().keySet()) {
            String text = DefinitionName.parse(name).text();
            if (name.isEmpty()) {
                errors.add(FieldError.invalid(pins, name, "the name of a pin must not be empty"));
            } else if (!text.equals(name)) {
                errors.add(
                        FieldError.invalid(
                                pins.key(name),
                                name,
                                "must be server/instructions, server/info or server/runs, or \"%s\" for a tool"
                                        .formatted(text)));
            }
        }
    }

    private static void requireNoNul(FieldPath path, String text, List<FieldError> errors) {
        if (text.indexOf('\0') >= 0) {
            errors.add(FieldError.invalid(path, "...", "must not contain a NUL character"));
        }
    }

    static void forbid(boolean present, String field, String why, List<FieldError> errors) {
        if (present) {
            errors.add(FieldError.forbidden(SPEC.child(field), why));
        }
    }
}
