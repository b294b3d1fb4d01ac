package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.core.SecretRef;

import java.util.List;
import java.util.regex.Pattern;

/** Validates the environment variables of a program, for every kind that has them. */
final class EnvRules {

    private static final Pattern NAME = Pattern.compile("[^=\\x00]+");

    private EnvRules() {}

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    static void validate(FieldPath env, List<McpServer.EnvVar> variables, List<FieldError> errors) {
        for (int i = 0; i < variables.size(); i++) {
            validate(env.index(i), variables.get(i), errors);
        }
    }

    private static void validate(
            FieldPath path, McpServer.EnvVar variable, List<FieldError> errors) {
        if (!isName(variable.name())) {
            errors.add(
                    FieldError.invalid(
                            path.child("name"),
                            variable.name(),
                            "must not be empty and must not contain '='"));
        }
        if (variable.value() != null && !variable.secretRef().isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            path, variable.name(), "value and secretRef exclude each other"));
        }
        if (variable.value() != null && variable.value().indexOf('\0') >= 0) {
            errors.add(
                    FieldError.invalid(
                            path.child("value"), "...", "must not contain a NUL character"));
        }
        if (!variable.secretRef().isEmpty()) {
            SecretRef.check(path.child("secretRef"), variable.secretRef()).ifPresent(errors::add);
        }
    }

    /** Validates the mount paths of the variables of a container. */
    static void validateMountPaths(
            FieldPath env, List<McpServer.EnvVar> variables, List<FieldError> errors) {
        for (int i = 0; i < variables.size(); i++) {
            McpServer.EnvVar variable = variables.get(i);
            FieldPath path = env.index(i).child("mountPath");
            if (variable.mountPath().isEmpty()) {
                continue;
            }
            if (!ContainerPaths.isPlain(variable.mountPath())) {
                errors.add(FieldError.invalid(path, variable.mountPath(), ContainerPaths.PLAIN));
            } else if (ContainerPaths.isOfTheKernel(variable.mountPath())) {
                errors.add(
                        FieldError.invalid(
                                path,
                                variable.mountPath(),
                                "must not be /, nor /proc, /sys or /dev, nor below those; give a"
                                        + " path such as /secrets/NAME"));
            }
            if (variable.secretRef().isEmpty()) {
                errors.add(
                        FieldError.required(
                                path, "a mounted variable takes its value by secretRef"));
            }
        }
    }
}
