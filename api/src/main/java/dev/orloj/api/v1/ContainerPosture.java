package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The isolation of a server's container as its engine reports it. A container that is not
 * read-only, has capabilities, or could gain privileges has no posture, because it is killed.
 *
 * @param digest the digest of the image in its registry; empty when it came from none
 * @param relaxations how it is less isolated than the default, one sentence each
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
