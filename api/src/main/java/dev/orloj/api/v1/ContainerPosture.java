package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * How the container of a server is closed in, as its engine says. One that is not read-only, has
 * capabilities, or could gain privileges has no posture: it is killed.
 *
 * @param digest under which a registry knows the image; empty when it came from none
 * @param relaxations what is less than the default, one sentence each
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ContainerPosture(
        String image,
        String imageId,
        String digest,
        String user,
        String network,
        @Nullable ByteSize memory,
        @Nullable CpuAmount cpus,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long pidsLimit,
        List<String> relaxations) {

    public ContainerPosture {
        image = image == null ? "" : image;
        imageId = imageId == null ? "" : imageId;
        digest = digest == null ? "" : digest;
        user = user == null ? "" : user;
        network = network == null ? "" : network;
        relaxations = relaxations == null ? List.of() : List.copyOf(relaxations);
    }
}
