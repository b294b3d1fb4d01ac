package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.pod.PodTemplateRules;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates which fields of an McpServer are allowed with its own container, with a Sandbox, or
 * with a container that is managed outside of Orloj.
 */
final class McpServerContainerRules {

    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final Pattern CONTAINER = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]*");
    private static final String WITH_STDIO = "only with transport stdio";
    private static final String WITH_IMAGE = "only together with image";

    private final McpServerSpec spec;
    private final McpServerSpec.Container container;
    private final McpServerSpec.Image image;
    private final List<FieldError> errors;

    private McpServerContainerRules(McpServerSpec spec, List<FieldError> errors) {
        this.spec = spec;
        this.container = spec.container();
        this.image = container.image();
        this.errors = errors;
    }

    static void validate(McpServerSpec spec, List<FieldError> errors) {
        McpServerContainerRules rules = new McpServerContainerRules(spec, errors);
        switch (spec.transport()) {
            case STDIO -> {
                rules.checkPlace();
                if (rules.image.name().isEmpty()) {
                    rules.forbidContainerFields(WITH_IMAGE);
                } else {
                    ContainerRules.checkImage(SPEC.child("image"), rules.image.name(), errors);
                }
                rules.checkMountPaths();
            }
            case HTTP, SSE -> {
                rules.forbid(!rules.image.name().isEmpty(), "image", WITH_STDIO);
                rules.forbidContainerFields(WITH_STDIO);
                rules.forbid(!rules.container.sandboxRef().isEmpty(), "sandbox_ref", WITH_STDIO);
                rules.forbid(rules.container.attach() != null, "attach", WITH_STDIO);
            }
        }
        rules.checkValues();
    }

    /** Requires one place for the program: the host, its own container, or an existing one. */
    private void checkPlace() {
        boolean shared = !container.sandboxRef().isEmpty();
        McpServer.Attach attach = container.attach();
        boolean borrowed = attach != null;
        forbid(!image.name().isEmpty() && shared, "sandbox_ref", "not together with image");
        forbid(!image.name().isEmpty() && borrowed, "attach", "not together with image");
        forbid(shared && borrowed, "attach", "not together with sandbox_ref");
        if (shared) {
            NameRule.LABEL
                    .check(SPEC.child("sandbox_ref"), container.sandboxRef())
                    .ifPresent(errors::add);
        }
        if (attach != null && !CONTAINER.matcher(attach.container()).matches()) {
            errors.add(
                    FieldError.invalid(
                            SPEC.child("attach").child("container"),
                            attach.container(),
                            "must be the name or the id of a container"));
        }
    }

    private void forbidContainerFields(String why) {
        forbid(image.resources() != null, "resources", why);
        forbid(!image.imagePullSecret().isEmpty(), "image_pull_secret", why);
        forbid(image.imagePullPolicy() != null, "image_pull_policy", why);
        forbid(image.network() != null, "network", why);
        forbid(image.trustImageConfig() != null, "trust_image_config", why);
        forbid(image.pod() != null, "pod", why);
    }

    private void checkMountPaths() {
        for (int i = 0; i < spec.program().env().size(); i++) {
            if (!spec.program().env().get(i).mountPath().isEmpty() && image.name().isEmpty()) {
                FieldPath path = SPEC.child("env").index(i).child("mountPath");
                errors.add(FieldError.forbidden(path, WITH_IMAGE));
            }
        }
        EnvRules.validateMountPaths(SPEC.child("env"), spec.program().env(), errors);
    }

    private void checkValues() {
        if (image.resources() != null) {
            ContainerRules.checkResources(SPEC.child("resources"), image.resources(), errors);
        }
        if (image.network() != null) {
            ContainerRules.checkNetwork(SPEC.child("network"), image.network(), errors);
        }
        if (image.pod() != null) {
            PodTemplateRules.validate(SPEC.child("pod"), image.pod(), errors);
        }
        forbid(
                spec.lifetime().lifecycle() == Lifecycle.ALWAYS_ON
                        && spec.lifetime().idleTimeout() != null
                        && spec.lifetime().idleTimeout().toDuration().isPositive(),
                "idle_timeout",
                "not together with lifecycle always_on, whose session is never idle");
    }

    private void forbid(boolean present, String field, String why) {
        if (present) {
            errors.add(FieldError.forbidden(SPEC.child(field), why));
        }
    }
}
