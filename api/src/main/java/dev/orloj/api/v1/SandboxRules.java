package dev.orloj.api.v1;

import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;

import java.util.ArrayList;
import java.util.List;

/** What holds for a Sandbox beyond its schema. */
final class SandboxRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private SandboxRules() {}

    static List<FieldError> validate(Sandbox sandbox) {
        Sandbox.Spec spec = sandbox.spec();
        List<FieldError> errors = new ArrayList<>();
        if (spec.image().isBlank()) {
            errors.add(FieldError.required(SPEC.child("image"), "a sandbox is made of an image"));
        }
        EnvRules.validate(SPEC.child("env"), spec.env(), errors);
        EnvRules.validateMountPaths(SPEC.child("env"), spec.env(), errors);
        if (spec.resources() != null) {
            ContainerRules.checkResources(SPEC.child("resources"), spec.resources(), errors);
        }
        if (spec.network() != null) {
            ContainerRules.checkNetwork(SPEC.child("network"), spec.network(), errors);
        }
        return errors;
    }
}
