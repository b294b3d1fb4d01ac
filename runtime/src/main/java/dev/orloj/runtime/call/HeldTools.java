package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;

import java.util.Map;

/** What is held of the tools of servers. Thread-safe. */
@FunctionalInterface
public interface HeldTools {

    /** No tool is held. */
    HeldTools NONE = _ -> Map.of();

    /**
     * Returns why each tool of a server is held in whose place nothing is served, by the names on
     * the server.
     */
    Map<String, String> withheld(ResourceKey server);
}
