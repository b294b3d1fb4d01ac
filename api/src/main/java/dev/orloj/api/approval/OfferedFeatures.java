package dev.orloj.api.approval;

import dev.orloj.api.Frozen;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The prompts, resource templates and resources that a server offers.
 *
 * @param definitions what is listed, with unique names
 * @param read the kinds whose list was read to its end. Of other kinds, the server is taken to
 *     offer what it offered last
 */
public record OfferedFeatures(List<OfferedDefinition> definitions, Set<DefinitionName.Kind> read) {

    /** No list was read. */
    public static final OfferedFeatures UNREAD = new OfferedFeatures(List.of(), Set.of());

    /** A server that has no prompts and no resources. */
    public static final OfferedFeatures NONE =
            new OfferedFeatures(List.of(), DefinitionName.FEATURES);

    public OfferedFeatures {
        definitions = List.copyOf(definitions);
        read = Frozen.set(read);
    }

    /**
     * Returns all definitions that the server offers.
     *
     * @param served what is served so far
     * @param held what the server offered last and is held
     */
    public Map<DefinitionName, ObjectNode> complete(
            Map<DefinitionName, ObjectNode> served, Collection<HeldDefinition> held) {
        Map<DefinitionName, ObjectNode> complete = new LinkedHashMap<>();
        served.forEach(
                (name, definition) -> {
                    if (!read.contains(name.kind())) {
                        complete.put(name, definition);
                    }
                });
        for (HeldDefinition each : held) {
            if (!read.contains(each.name().kind())) {
                complete.put(each.name(), each.definition());
            }
        }
        definitions.forEach(offered -> complete.put(offered.name(), offered.definition()));
        return complete;
    }
}
