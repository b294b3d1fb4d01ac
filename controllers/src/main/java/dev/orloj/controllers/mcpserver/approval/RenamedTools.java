package dev.orloj.controllers.mcpserver.approval;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.DefinitionDigests;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the tools of a list that only have another name than before. */
final class RenamedTools {

    private RenamedTools() {}

    /**
     * Returns the former names of tools by their names. A tool was renamed if it appears in a list
     * in which one that was served is missing, with the same definition apart from name and title,
     * and no other tool that appears or is missing has this definition. While it is held it keeps
     * its former name, unless the server lists that again.
     *
     * @param served the definitions of the Tools by the names on the server
     * @param admits whether a tool of this name may become a Tool
     */
    static Map<String, String> formers(
            Map<String, ObjectNode> served,
            Map<DefinitionName, ToolApproval> known,
            Predicate<String> admits,
            List<ObjectNode> listed) {
        Set<String> names = listed.stream().map(RenamedTools::name).collect(Collectors.toSet());
        Map<String, String> formers = new HashMap<>();
        List<ObjectNode> added = new ArrayList<>();
        for (ObjectNode offered : listed) {
            String name = name(offered);
            if (served.containsKey(name) || !admits.test(name)) {
                continue;
            }
            ToolApproval own = known.getOrDefault(DefinitionName.tool(name), ToolApproval.NONE);
            if (own.held().filter(held -> isSame(held, offered)).isEmpty()) {
                added.add(offered);
                continue;
            }
            String former = own.held().map(HeldDefinition::former).orElse("");
            if (!former.isEmpty() && !names.contains(former)) {
                formers.put(name, former);
            }
        }
        Map<String, ObjectNode> gone = new TreeMap<>(served);
        gone.keySet().removeAll(names);
        if (!gone.isEmpty() && !added.isEmpty()) {
            match(gone.values(), added, formers);
        }
        return formers;
    }

    private static void match(
            Collection<ObjectNode> gone, List<ObjectNode> added, Map<String, String> formers) {
        Map<String, List<ObjectNode>> before = byContent(gone);
        byContent(added)
                .forEach(
                        (content, tools) -> {
                            List<ObjectNode> same = before.getOrDefault(content, List.of());
                            if (tools.size() == 1 && same.size() == 1) {
                                formers.put(name(tools.getFirst()), name(same.getFirst()));
                            }
                        });
    }

    private static Map<String, List<ObjectNode>> byContent(Collection<ObjectNode> definitions) {
        Function<ObjectNode, String> content = DefinitionDigests::ofNameless;
        return definitions.stream().collect(Collectors.groupingBy(content));
    }

    private static boolean isSame(HeldDefinition held, ObjectNode offered) {
        return held.digest().equals(CanonicalJson.digest(offered));
    }

    private static String name(ObjectNode definition) {
        return definition.path("name").asString("");
    }
}
