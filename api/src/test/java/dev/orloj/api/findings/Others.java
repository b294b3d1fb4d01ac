package dev.orloj.api.findings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tools of other servers, by the terms under which they are found. */
final class Others {

    private Others() {}

    static KnownTools of(List<KnownTools.KnownTool> tools) {
        Map<String, List<KnownTools.KnownTool>> byTerm = new HashMap<>();
        for (KnownTools.KnownTool tool : tools) {
            for (String term : KnownTools.terms(tool.name())) {
                byTerm.computeIfAbsent(term, _ -> new ArrayList<>()).add(tool);
            }
        }
        return new KnownTools(
                term ->
                        byTerm.getOrDefault(term, List.of()).stream()
                                .limit(KnownTools.MAX_OF_TERM)
                                .toList());
    }
}
