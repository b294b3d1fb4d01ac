package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.regex.Pattern;

/**
 * The resource limits of a container. orlojd's defaults apply to what is null or empty.
 *
 * @param memory all of it, since there is no swap beside it
 * @param user {@code uid} or {@code uid:gid}
 * @param tmpSize size of {@code /tmp}; what lies there counts as memory too
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonNaming(SnakeCaseStrategy.class)
public record ContainerResources(
        @Nullable ByteSize memory,
        @Nullable CpuAmount cpus,
        @Nullable Integer pidsLimit,
        String user,
        @Nullable ByteSize tmpSize) {

    private static final Pattern ROOT = Pattern.compile("0+(:.*)?|.*:0+");

    public static final ContainerResources NONE =
            new ContainerResources(null, null, null, "", null);

    public ContainerResources {
        user = user == null ? "" : user;
    }

    /** Whether the user is root, or in the group of root, to which many images give much. */
    public boolean namesRoot() {
        return ROOT.matcher(user).matches();
    }
}
