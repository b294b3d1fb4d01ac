package dev.orloj.runtime.listing;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.List;

/**
 * The tools of a server.
 *
 * @param tools complete definitions as received, each with a name of its own; unmodifiable
 * @param notes what was left out and why, one sentence each
 * @param gateways ids of the gateways that the tools may come through, as these say themselves
 */
public record ToolListing(List<ObjectNode> tools, List<String> notes, List<String> gateways) {

    public ToolListing {
        tools = Collections.unmodifiableList(tools);
        notes = List.copyOf(notes);
        gateways = List.copyOf(gateways);
    }
}
