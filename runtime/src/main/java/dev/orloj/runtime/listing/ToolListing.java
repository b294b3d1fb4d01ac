package dev.orloj.runtime.listing;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.List;

/**
 * The tools of a server, and what else it lists.
 *
 * @param tools complete definitions as received, with unique names; unmodifiable
 * @param notes omitted tools with the reasons, one sentence each
 * @param gateways ids of the gateways that the tools may pass through, as these gateways report
 *     them
 * @param features prompts, resource templates and resources
 */
public record ToolListing(
        List<ObjectNode> tools,
        List<String> notes,
        List<String> gateways,
        FeatureListing features) {

    private static final long MAX_UNPACKED_BYTES = 2L * 1024 * 1024;

    public ToolListing {
        tools = tools instanceof PackedObjects ? tools : Collections.unmodifiableList(tools);
        notes = List.copyOf(notes);
        gateways = List.copyOf(gateways);
    }

    /** A listing of which only the tools were read. */
    public ToolListing(List<ObjectNode> tools, List<String> notes, List<String> gateways) {
        this(tools, notes, gateways, FeatureListing.UNREAD);
    }

    /**
     * Returns the same listing with all definitions read, unless they are many. A list of packed
     * definitions reads each again at each access, and needs a tenth of the memory.
     */
    public ToolListing unpacked() {
        return tools instanceof PackedObjects packed && packed.bytes() <= MAX_UNPACKED_BYTES
                ? new ToolListing(List.copyOf(packed), notes, gateways, features)
                : this;
    }

    /** Returns the same tools with other lists. */
    public ToolListing with(FeatureListing others) {
        return new ToolListing(tools, notes, gateways, others);
    }
}
