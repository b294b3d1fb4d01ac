package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.regex.Pattern;

/**
 * The resource limits of a container. orlojd's defaults apply to fields that are null or empty.
 *
 * @param memory the total, because there is no swap
 * @param user {@code uid} or {@code uid:gid}
 * @param tmpSize size of {@code /tmp}; its content counts as memory too
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

    /**
     * Returns whether the user is root or in the group of root, to which many images grant access.
     */
    public boolean namesRoot() {
        return ROOT.matcher(user).matches();
    }
}
