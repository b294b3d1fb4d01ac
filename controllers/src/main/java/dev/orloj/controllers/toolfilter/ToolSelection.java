package dev.orloj.controllers.toolfilter;

import dev.orloj.api.pattern.NameSet;
import dev.orloj.api.v1.McpServer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The {@code tool_filter} of a server. {@code exclude} takes precedence over {@code include}. */
public final class ToolSelection {

    private final NameSet include;
    private final NameSet exclude;

    private ToolSelection(NameSet include, NameSet exclude) {
        this.include = include;
        this.exclude = exclude;
    }

    /**
     * @param filter null for all tools
     */
    public static ToolSelection of(McpServer.@Nullable ToolFilter filter) {
        return filter == null
                ? new ToolSelection(new NameSet(List.of()), new NameSet(List.of()))
                : new ToolSelection(new NameSet(filter.include()), new NameSet(filter.exclude()));
    }

    public boolean admits(String name) {
        return (include.isEmpty() || include.contains(name)) && !exclude.contains(name);
    }

    /** Returns the definitions of the tools that the filter admits. */
    public List<ObjectNode> select(List<ObjectNode> tools) {
        return tools.stream().filter(tool -> admits(tool.path("name").asString(""))).toList();
    }

    /** Returns the names and patterns of the filter that match no offered tool, sorted. */
    public Set<String> unmatchedBy(Collection<String> offered) {
        Set<String> unmatched = new TreeSet<>(include.unmatchedBy(offered));
        unmatched.addAll(exclude.unmatchedBy(offered));
        return unmatched;
    }
}
