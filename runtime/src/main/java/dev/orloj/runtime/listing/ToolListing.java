package dev.orloj.runtime.listing;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.List;

/**
 * The tools of a server.
 *
 * @param tools complete definitions as received, with unique names; unmodifiable
 * @param notes omitted tools with the reasons, one sentence each
 * @param gateways ids of the gateways that the tools may pass through, as these gateways report
 *     them
 */
public record ToolListing(List<ObjectNode> tools, List<String> notes, List<String> gateways) {

    public ToolListing {
        tools = Collections.unmodifiableList(tools);
        notes = List.copyOf(notes);
        gateways = List.copyOf(gateways);
    }
}
