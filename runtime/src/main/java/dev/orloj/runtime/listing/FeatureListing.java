package dev.orloj.runtime.listing;

import dev.orloj.api.approval.OfferedFeatures;

import java.util.List;

/**
 * The prompts, resource templates and resources of a server.
 *
 * @param notes what was left out, and lists that could not be read, one sentence each
 */
public record FeatureListing(OfferedFeatures offered, List<String> notes) {

    /** No list was read. */
    public static final FeatureListing UNREAD =
            new FeatureListing(OfferedFeatures.UNREAD, List.of());

    public FeatureListing {
        notes = List.copyOf(notes);
    }
}
