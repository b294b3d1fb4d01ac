package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Version;

import java.util.List;
import java.util.Objects;

/**
 * What holds for all containers of an engine.
 *
 * @param seccomp whether it filters system calls unless told otherwise
 * @param mapsUsers whether uids of a container are others on the host
 * @param podman whether it is Podman, which speaks as Docker does and does some things in another
 *     way
 */
public record EngineFacts(boolean seccomp, boolean mapsUsers, boolean podman) {

    static EngineFacts of(Info info, Version version) {
        List<String> options =
                Objects.requireNonNullElse(info.getSecurityOptions(), List.<String>of());
        return new EngineFacts(
                options.stream()
                        .anyMatch(
                                option ->
                                        option.contains("name=seccomp")
                                                && !option.contains("unconfined")),
                options.stream()
                        .anyMatch(
                                option ->
                                        option.contains("name=userns")
                                                || option.contains("name=rootless")),
                isPodman(version));
    }

    /** What it makes writable, and lets programs be run from, though the root is read-only. */
    public List<String> writableFolders() {
        return podman ? List.of("/run", "/var/tmp") : List.of();
    }

    private static boolean isPodman(Version version) {
        return version.getComponents() != null
                && version.getComponents().stream()
                        .anyMatch(component -> "Podman Engine".equals(component.getName()));
    }
}
