package dev.orloj.controllers.mcpserver.tools;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Write;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.ToolNames;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.toolfilter.ToolSelection;

import tools.jackson.databind.node.ObjectNode;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Computes the writes that make the Tools of a server match its tool list. Pure: it only reads its
 * inputs. The caller does the writes.
 *
 * @param writes the difference, at most one write per Tool; empty if there is none. Each write is
 *     created on access, so a plan takes little more memory than its names.
 * @param generated names of the Tool resources after the writes, sorted
 * @param discovered original names of all listed tools, sorted
 * @param added original names, sorted
 * @param changed original names, sorted
 * @param removed original names, sorted
 * @param notOffered names in the filter that the server does not list, sorted
 */
public record ToolPlan(
        List<Write<Tool>> writes,
        List<String> generated,
        List<String> discovered,
        List<String> added,
        List<String> changed,
        List<String> removed,
        List<String> notOffered) {

    public ToolPlan {
        writes = Collections.unmodifiableList(writes);
        generated = List.copyOf(generated);
        discovered = List.copyOf(discovered);
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
        notOffered = List.copyOf(notOffered);
    }

    /**
     * @param view the server and its Tools
     * @param listed complete definitions, each with a unique name
     */
    public static ToolPlan of(McpServerView view, List<ObjectNode> listed) {
        return of(view, listed, Set.of());
    }

    /**
     * @param view the server and its Tools
     * @param listed complete definitions, each with a unique name
     * @param withheld names of listed tools that get no Tool
     */
    public static ToolPlan of(McpServerView view, List<ObjectNode> listed, Set<String> withheld) {
        return new Draft(view, listed, withheld).plan();
    }

    /** The steps of one plan. */
    private static final class Draft {

        private final McpServer server;
        private final McpServerView view;
        private final List<ObjectNode> listed;
        private final Set<String> withheld;
        private final Map<String, Integer> offered = new TreeMap<>();
        private final ToolSelection selection;
        private final Map<String, Tool> kept = new TreeMap<>();
        private final List<Supplier<Write<Tool>>> writes = new ArrayList<>();
        private final Set<String> generated = new TreeSet<>();
        private final Set<String> changed = new TreeSet<>();
        private final Set<String> removed = new TreeSet<>();

        Draft(McpServerView view, List<ObjectNode> listed, Set<String> withheld) {
            this.withheld = withheld;
            this.server = view.server();
            this.view = view;
            this.listed = listed;
            int index = 0;
            for (ObjectNode definition : listed) {
                offered.put(definition.path("name").asString(), index++);
            }
            this.selection = ToolSelection.of(server.spec().offer().toolFilter());
        }

        ToolPlan plan() {
            Set<String> wanted = new TreeSet<>(offered.keySet());
            wanted.removeIf(name -> !selection.admits(name) || withheld.contains(name));
            sortOut(wanted);
            Set<String> newcomers = new TreeSet<>(wanted);
            newcomers.removeAll(kept.keySet());
            kept.forEach((name, tool) -> update(tool, definition(name)));
            ToolNames.assign(
                            server.metadata().name(),
                            newcomers,
                            view.nameTaken(),
                            view.agentNameTaken())
                    .forEach(this::create);
            return new ToolPlan(
                    new Made(writes),
                    List.copyOf(generated),
                    List.copyOf(offered.keySet()),
                    List.copyOf(newcomers),
                    List.copyOf(changed),
                    List.copyOf(removed),
                    List.copyOf(selection.unmatchedBy(offered.keySet())));
        }

        private ObjectNode definition(String name) {
            Integer index = offered.get(name);
            if (index == null) {
                throw new IllegalStateException("Tool \"" + name + "\" is not offered");
            }
            return listed.get(index);
        }

        /** Keeps one Tool for each wanted tool. Of several, the oldest stays. */
        private void sortOut(Set<String> wanted) {
            List<Tool> oldestFirst =
                    view.tools().stream()
                            .filter(tool -> !tool.metadata().isDeleting())
                            .sorted(
                                    Comparator.<Tool, String>comparing(this::age)
                                            .thenComparing(Tool::key))
                            .toList();
            for (Tool tool : oldestFirst) {
                String name = tool.spec().mcpToolName();
                if (!wanted.contains(name) || kept.putIfAbsent(name, tool) != null) {
                    removed.add(name);
                    writes.add(() -> new Write.Delete<>(tool.key(), inThisState(tool)));
                }
            }
            removed.removeAll(kept.keySet());
        }

        private String age(Tool tool) {
            return String.valueOf(tool.metadata().creationTimestamp());
        }

        private static DeleteOptions inThisState(Tool tool) {
            return new DeleteOptions(
                    tool.metadata().uid(), tool.metadata().resourceVersion(), false);
        }

        private void create(String name, ToolNames names) {
            generated.add(names.resource());
            writes.add(() -> new Write.Create<>(created(names, definition(name))));
        }

        private Tool created(ToolNames names, ObjectNode definition) {
            ObjectMeta metadata =
                    owned(ObjectMeta.of(server.metadata().namespace(), names.resource()));
            return Tool.of(
                    metadata, Tool.Spec.of(server.metadata().name(), names.agent(), definition));
        }

        /** Adopts a Tool of an earlier server of the same name and keeps its names. */
        private void update(Tool before, ObjectNode definition) {
            generated.add(before.metadata().name());
            if (!isSame(before, updated(before, definition))) {
                String name = before.spec().mcpToolName();
                changed.add(name);
                writes.add(() -> new Write.Update<>(updated(before, definition(name))));
            }
        }

        private Tool updated(Tool before, ObjectNode definition) {
            return before.withMetadata(owned(before.metadata()))
                    .withSpec(
                            before.spec()
                                    .redefined(
                                            server.metadata().name(),
                                            agentName(before, definition),
                                            definition));
        }

        /** Keeps the assigned name. Assigns a new name only if the old one was cleared. */
        private String agentName(Tool before, ObjectNode definition) {
            if (!before.spec().agentName().isEmpty()) {
                return before.spec().agentName();
            }
            String name = definition.path("name").asString();
            return ToolNames.assign(
                            server.metadata().name(),
                            List.of(name),
                            view.nameTaken(),
                            view.agentNameTaken())
                    .values()
                    .iterator()
                    .next()
                    .agent();
        }

        private ObjectMeta owned(ObjectMeta metadata) {
            Map<String, String> labels = new TreeMap<>(metadata.labels());
            labels.put(Tool.SERVER_LABEL, server.metadata().name());
            labels.put(Tool.GENERATED_LABEL, "true");
            Set<OwnerReference> owners =
                    metadata.ownerReferences().stream()
                            .filter(owner -> !owner.controller())
                            .collect(Collectors.toCollection(LinkedHashSet::new));
            owners.add(OwnerReference.controllerOf(server));
            return metadata.withLabels(labels).withOwnerReferences(List.copyOf(owners));
        }

        private static boolean isSame(Tool before, Tool after) {
            return before.metadata().labels().equals(after.metadata().labels())
                    && before.metadata()
                            .ownerReferences()
                            .equals(after.metadata().ownerReferences())
                    && SameJson.test(
                            Json.MAPPER.valueToTree(before.spec()),
                            Json.MAPPER.valueToTree(after.spec()));
        }
    }

    /** A list of writes that creates each write on access. */
    private static final class Made extends AbstractList<Write<Tool>> {

        private final List<Supplier<Write<Tool>>> makers;

        Made(List<Supplier<Write<Tool>>> makers) {
            this.makers = makers;
        }

        @Override
        public Write<Tool> get(int index) {
            return makers.get(index).get();
        }

        @Override
        public int size() {
            return makers.size();
        }
    }
}
