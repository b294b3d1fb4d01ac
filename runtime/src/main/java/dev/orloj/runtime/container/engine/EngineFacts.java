package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Version;

import java.util.List;
import java.util.Objects;

/**
 * Properties of an engine that apply to all its containers.
 *
 * @param seccomp whether the engine filters system calls by default
 * @param mapsUsers whether uids in a container differ from those on the host
 * @param podman whether the engine is Podman, which implements Docker's API but differs in some
 *     ways
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

    /**
     * Returns the folders that the engine makes writable and executable although the root is
     * read-only.
     */
    public List<String> writableFolders() {
        return podman ? List.of("/run", "/var/tmp") : List.of();
    }

    private static boolean isPodman(Version version) {
        return version.getComponents() != null
                && version.getComponents().stream()
                        .anyMatch(component -> "Podman Engine".equals(component.getName()));
    }
}
