package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Optional;

/**
 * Which folders of the host Sandboxes may mount.
 *
 * @param hostPaths patterns for the real paths of folders, of which one has to match; null for any
 *     folder
 * @param readOnly whether folders may be mounted for reading only
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record MountRule(@Nullable List<String> hostPaths, @Nullable Boolean readOnly) {

    public MountRule {
        hostPaths = hostPaths == null ? null : List.copyOf(hostPaths);
    }

    /**
     * Returns why a folder is not allowed; empty if it is.
     *
     * @param folder its path with all links followed
     */
    public Optional<String> objection(String folder) {
        if (hostPaths == null
                || PathGlob.isPlain(folder)
                        && hostPaths.stream().anyMatch(path -> PathGlob.matches(path, folder))) {
            return Optional.empty();
        }
        return Optional.of("allowed folders: " + String.join(", ", hostPaths));
    }

    /** Returns whether folders may be mounted for reading only. */
    public boolean requiresReadOnly() {
        return Boolean.TRUE.equals(readOnly);
    }
}
