package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Optional;

/**
 * Which images servers and Sandboxes may use.
 *
 * @param references patterns, of which one has to match; null for any image
 * @param requireDigest whether an image has to be named by its digest
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record ImageRule(@Nullable List<String> references, @Nullable Boolean requireDigest) {

    public ImageRule {
        references = references == null ? null : List.copyOf(references);
    }

    /** Returns why the image is not allowed; empty if it is. */
    public Optional<String> objection(String image) {
        Optional<ImageReference> parsed = ImageReference.parse(image.strip());
        if (parsed.isEmpty()) {
            return Optional.of(
                    "an image is needed by its name, such as registry/name:tag, not by its id");
        }
        if (Boolean.TRUE.equals(requireDigest) && parsed.get().digest().isEmpty()) {
            return Optional.of("a digest is required: name the image as name@sha256:...");
        }
        return references == null || references.stream().anyMatch(parsed.get()::matches)
                ? Optional.empty()
                : Optional.of("allowed images: " + String.join(", ", references));
    }
}
