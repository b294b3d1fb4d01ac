package dev.orloj.cli.clientfile;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Changes the text of a file, and checks the result against what the change means: every other
 * value is as before.
 */
public final class FileEdit {

    private FileEdit() {}

    /**
     * Returns the text after a change.
     *
     * @throws ClientFileException when the text is written in a way that this cannot change
     */
    public static String apply(ClientFile file, Edit edit) {
        String changed;
        try {
            changed =
                    switch (file.syntax()) {
                        case JSON -> JsonEdits.apply(file.text(), edit);
                        case YAML -> YamlEdits.apply(file.text(), edit);
                        case TOML -> TomlEdits.apply(file.text(), edit);
                    };
            if (!ClientFile.parse(file.name(), file.syntax(), changed)
                    .equals(expected(file.root(), edit))) {
                throw new ClientFileException("it would change more than the entries");
            }
        } catch (ClientFileException | IndexOutOfBoundsException e) {
            throw new ClientFileException(
                    "%s cannot be changed by orlojctl (%s); change it by hand"
                            .formatted(file.name(), e.getMessage()));
        }
        return changed;
    }

    /** Returns the file after a change, not yet written. */
    public static ClientFile changed(ClientFile file, Edit edit) {
        return ClientFile.of(
                file.name(),
                file.path(),
                file.client(),
                apply(file, edit).getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode expected(ObjectNode root, Edit edit) {
        ObjectNode expected = root.deepCopy();
        JsonNode section = expected;
        for (String name : edit.path()) {
            if (section.path(name).isMissingNode() && section instanceof ObjectNode parent) {
                boolean isLast = name.equals(edit.path().getLast());
                if (isLast && edit.isList()) {
                    parent.putArray(name);
                } else {
                    parent.putObject(name);
                }
            }
            section = section.path(name);
        }
        if (section instanceof ArrayNode list) {
            expectedList(list, edit);
        } else if (section instanceof ObjectNode object) {
            object.remove(List.copyOf(edit.removed()));
            edit.entry().ifPresent(entry -> object.set(edit.name(), entry));
        }
        return expected;
    }

    private static void expectedList(ArrayNode list, Edit edit) {
        List<Integer> positions =
                edit.removed().stream().map(Integer::valueOf).sorted().toList().reversed();
        positions.forEach(list::remove);
        edit.entry()
                .ifPresent(
                        entry ->
                                list.insert(
                                        positions.isEmpty() ? list.size() : positions.getLast(),
                                        entry));
    }
}
