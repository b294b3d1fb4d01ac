package dev.orloj.cli.output;

import dev.orloj.api.codec.Json;

import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;
import tools.jackson.dataformat.yaml.util.StringQuotingChecker;

import java.util.List;
import java.util.Locale;

/** Formats whole documents as YAML or JSON that {@code apply} reads back to the same value. */
public final class Documents {

    private static final List<String> ORDER =
            List.of("apiVersion", "kind", "metadata", "spec", "status");

    private Documents() {}

    public static String toYaml(JsonNode document) {
        return YamlHolder.MAPPER.writeValueAsString(ordered(document));
    }

    public static String toJson(JsonNode document) {
        Separators separators =
                Separators.createDefaultInstance()
                        .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                        .withObjectEmptySeparator("")
                        .withArrayEmptySeparator("");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter(separators)
                        .withObjectIndenter(new DefaultIndenter("    ", "\n"))
                        .withArrayIndenter(new DefaultIndenter("    ", "\n"));
        return Json.MAPPER.writer().with(printer).writeValueAsString(ordered(document)) + "\n";
    }

    /** Returns the single document, or a List of several. */
    public static JsonNode oneOrList(List<ObjectNode> documents, boolean asList) {
        if (!asList && documents.size() == 1) {
            return documents.getFirst();
        }
        ObjectNode list =
                Json.MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        ArrayNode items = list.putArray("items");
        documents.forEach(document -> items.add(ordered(document)));
        return list;
    }

    /** Orders the fields: those that users look for first come first. */
    private static JsonNode ordered(JsonNode document) {
        if (!(document instanceof ObjectNode object) || !object.has("kind")) {
            return document;
        }
        ObjectNode sorted = Json.MAPPER.createObjectNode();
        for (String field : ORDER) {
            if (object.has(field)) {
                sorted.set(field, object.get(field));
            }
        }
        object.properties().stream()
                .filter(field -> !ORDER.contains(field.getKey()))
                .forEach(field -> sorted.set(field.getKey(), field.getValue()));
        return sorted;
    }

    /** Returns a copy without the managed fields, which are long and of use only to programs. */
    public static ObjectNode withoutOwners(ObjectNode document) {
        ObjectNode copy = document.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return copy;
    }

    /** Loads YAML support only when YAML is written, which most commands never do. */
    private static final class YamlHolder {

        static final YAMLMapper MAPPER =
                YAMLMapper.builder(
                                YAMLFactory.builder().stringQuotingChecker(new Quoting()).build())
                        .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                        .disable(YAMLWriteFeature.SPLIT_LINES)
                        .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                        .build();
    }

    /** Quotes every text that some YAML parser would not read as a string. */
    private static final class Quoting extends StringQuotingChecker.Default {

        private static final long serialVersionUID = 1L;
        private static final String IN_NUMBERS = "0123456789+-._:abcdefABCDEFxXoOTZ";

        @Override
        public boolean needToQuoteName(String name) {
            return super.needToQuoteName(name) || isMisread(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || isMisread(value);
        }

        private static boolean isMisread(String text) {
            return looksLikeANumber(text) || text.chars().anyMatch(Quoting::isInvisible);
        }

        private static boolean looksLikeANumber(String value) {
            return !value.isEmpty()
                    && "0123456789+-.".indexOf(value.charAt(0)) >= 0
                    && (value.chars().allMatch(c -> IN_NUMBERS.indexOf(c) >= 0)
                            || isNoFiniteNumber(value.toLowerCase(Locale.ROOT)));
        }

        private static boolean isInvisible(int c) {
            return Character.isISOControl(c) || Character.isSpaceChar(c) && c != ' ';
        }

        private static boolean isNoFiniteNumber(String value) {
            return value.endsWith(".inf") || value.endsWith(".nan");
        }
    }
}
