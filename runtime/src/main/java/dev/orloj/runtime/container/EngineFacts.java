package dev.orloj.runtime.container;

import com.github.dockerjava.api.model.Info;

import java.util.List;
import java.util.Objects;

/**
 * What holds for all containers of an engine.
 *
 * @param seccomp whether it filters system calls unless told otherwise
 * @param mapsUsers whether uids of a container are others on the host
 */
record EngineFacts(boolean seccomp, boolean mapsUsers) {

    static EngineFacts of(Info info) {
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
                                                || option.contains("name=rootless")));
    }
}
