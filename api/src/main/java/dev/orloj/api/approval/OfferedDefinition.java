package dev.orloj.api.approval;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A prompt, a resource template or a resource that a server lists.
 *
 * @param definition what is recorded of it: all but the size of a resource and the time of its last
 *     change, which are no part of the definition
 */
public record OfferedDefinition(DefinitionName name, ObjectNode definition) {

    private static final String ANNOTATIONS = "annotations";
    private static final String LAST_MODIFIED = "lastModified";

    /** A text that is no time is read by a model, and is recorded. */
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9T:.,Z+ -]{1,40}");

    /**
     * Reads an item of a list. Empty if it has no name.
     *
     * @param listed is not changed
     */
    public static Optional<OfferedDefinition> of(DefinitionName.Kind kind, JsonNode listed) {
        if (!(listed instanceof ObjectNode item)) {
            return Optional.empty();
        }
        String name = item.path(nameField(kind)).asString("");
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new OfferedDefinition(new DefinitionName(kind, name), recorded(item)));
    }

    /** Returns the field that has the name. */
    private static String nameField(DefinitionName.Kind kind) {
        return switch (kind) {
            case TOOL, PROMPT, INSTRUCTIONS, SERVER_INFO, RUNS -> "name";
            case TEMPLATE -> "uriTemplate";
            case RESOURCE -> "uri";
        };
    }

    private static ObjectNode recorded(ObjectNode item) {
        ObjectNode recorded = item.deepCopy();
        if (recorded.path("size").isNumber()) {
            recorded.remove("size");
        }
        if (recorded.path(ANNOTATIONS) instanceof ObjectNode annotations) {
            if (TIME.matcher(annotations.path(LAST_MODIFIED).asString("")).matches()) {
                annotations.remove(LAST_MODIFIED);
            }
            if (annotations.isEmpty()) {
                recorded.remove(ANNOTATIONS);
            }
        }
        return recorded;
    }
}
