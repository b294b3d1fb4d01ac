package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.KindDescriptor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

@DisplayName("20.9: examples that people copy")
class ExampleFilesTest {

    private static final Path FOLDER = Path.of("../examples");
    private static final Pattern MODELINE =
            Pattern.compile("# yaml-language-server: \\$schema=(\\S+)");

    /** Of kustomize: no manifests, and a part of one. */
    private static final Set<String> NO_MANIFESTS =
            Set.of("kustomization.yaml", "references.yaml", "tracker.yaml");

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    /** An editor reads the line of the document that it stands in, and of no other. */
    @Test
    void everyDocumentNamesASchemaThatIsThere() throws IOException {
        for (Path file : files()) {
            if (NO_MANIFESTS.contains(file.getFileName().toString())) {
                continue;
            }
            for (String document : Files.readString(file).split("(?m)^---\n", -1)) {
                Matcher modeline = MODELINE.matcher(document.lines().findFirst().orElse(""));
                assertThat(modeline.matches()).as("the first line of %s", file).isTrue();
                assertThat(file.resolveSibling(modeline.group(1))).exists();
            }
        }
    }

    @Test
    void everyExampleIsListedInThePage() throws IOException {
        String page = Files.readString(Path.of("../docs/examples.md"));
        for (Path file : files()) {
            Path relative = FOLDER.relativize(file);
            String listed =
                    relative.startsWith("kustomize") ? relative.getParent() + "/" : relative + "";
            assertThat(page).contains("](../examples/" + listed + ") | ");
        }
    }

    /** A reference that is left out keeps the name without the hash, which nothing has. */
    @Test
    void kustomizeKnowsEveryReference() throws IOException {
        String known = Files.readString(FOLDER.resolve("kustomize/orloj/references.yaml"));
        List<String> references = new ArrayList<>();
        for (KindDescriptor<?> kind :
                List.of(McpServer.DESCRIPTOR, Tool.DESCRIPTOR, Sandbox.DESCRIPTOR)) {
            JsonNode spec = kind.schema().root().at("/properties/spec");
            find("spec", spec, kind.kind().name(), references);
        }

        assertThat(references).hasSizeGreaterThan(10);
        assertThat(references).allSatisfy(reference -> assertThat(known).contains(reference));
    }

    private static void find(String path, JsonNode schema, String kind, List<String> references) {
        JsonNode object = schema.path("items").isObject() ? schema.path("items") : schema;
        for (Map.Entry<String, JsonNode> field : object.path("properties").properties()) {
            String name = field.getKey();
            String child = path + "/" + name;
            boolean isText = field.getValue().path("type").asString("").equals("string");
            if (isText && (name.endsWith("Ref") || name.endsWith("_ref"))
                    || name.equals("image_pull_secret")) {
                references.add("- {kind: %s, path: %s}".formatted(kind, child));
            } else if (name.endsWith("Ref")) {
                references.add("- {kind: %s, path: %s/name}".formatted(kind, child));
            }
            find(child, field.getValue(), kind, references);
        }
    }
}
