package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Validates a Sandbox beyond its schema. */
final class SandboxRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private SandboxRules() {}

    static List<FieldError> validate(Sandbox sandbox) {
        Sandbox.Spec spec = sandbox.spec();
        List<FieldError> errors = new ArrayList<>();
        if (spec.image().isBlank()) {
            errors.add(FieldError.required(SPEC.child("image"), "a sandbox is made of an image"));
        } else {
            ContainerRules.checkImage(SPEC.child("image"), spec.image(), errors);
        }
        EnvRules.validate(SPEC.child("env"), spec.env(), errors);
        EnvRules.validateMountPaths(SPEC.child("env"), spec.env(), errors);
        if (spec.resources() != null) {
            ContainerRules.checkResources(SPEC.child("resources"), spec.resources(), errors);
        }
        if (spec.network() != null) {
            ContainerRules.checkNetwork(SPEC.child("network"), spec.network(), errors);
        }
        checkMounts(spec, errors);
        return errors;
    }

    /**
     * Validates the mounts without reading the host, because each orlojd decides which folders it
     * allows.
     */
    private static void checkMounts(Sandbox.Spec spec, List<FieldError> errors) {
        Set<String> taken =
                spec.env().stream()
                        .map(McpServer.EnvVar::mountPath)
                        .collect(Collectors.toCollection(HashSet::new));
        for (int i = 0; i < spec.mounts().size(); i++) {
            Sandbox.Mount mount = spec.mounts().get(i);
            FieldPath path = SPEC.child("mounts").index(i);
            requirePlain(path.child("host_path"), mount.hostPath(), errors);
            requirePlain(path.child("mount_path"), mount.mountPath(), errors);
            if (ContainerPaths.isPlain(mount.mountPath()) && isTaken(mount.mountPath())) {
                errors.add(
                        FieldError.invalid(
                                path.child("mount_path"),
                                mount.mountPath(),
                                "must not be /, /proc, /sys, /dev, /tmp, or below those"));
            }
            if (!taken.add(mount.mountPath())) {
                errors.add(FieldError.duplicate(path.child("mount_path"), mount.mountPath()));
            }
        }
    }

    /** Returns whether the engine mounts something at the path itself. */
    private static boolean isTaken(String path) {
        return ContainerPaths.isOfTheKernel(path)
                || path.equals("/tmp")
                || path.startsWith("/tmp/");
    }

    private static void requirePlain(FieldPath field, String path, List<FieldError> errors) {
        if (!ContainerPaths.isPlain(path)) {
            errors.add(FieldError.invalid(field, path, ContainerPaths.PLAIN));
        }
    }
}
