package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.TestManifests;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the project shows as a manifest, in {@code examples/} and in its pages, is one. */
class ExamplesTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern YAML_BLOCK =
            Pattern.compile("```yaml[^\\n]*\n(.*?)```", Pattern.DOTALL);

    static Stream<Path> examples() throws IOException {
        return files(ROOT.resolve("examples"), ".yaml");
    }

    static Stream<Path> pages() throws IOException {
        return Stream.of(files(ROOT.resolve("docs"), ".md"), Stream.of(ROOT.resolve("README.md")))
                .flatMap(files -> files);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleIsValid(Path file) throws IOException {
        List<Manifest> manifests = TestManifests.read(file.toString(), Files.readAllBytes(file));

        assertThat(manifests).isNotEmpty().allSatisfy(ExamplesTest::isValid);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void manifestsOfPageAreValid(Path page) throws IOException {
        Matcher block = YAML_BLOCK.matcher(Files.readString(page));
        while (block.find()) {
            byte[] yaml = block.group(1).getBytes(StandardCharsets.UTF_8);
            assertThat(TestManifests.read(page.toString(), yaml))
                    .isNotEmpty()
                    .filteredOn(ExamplesTest::isResource)
                    .allSatisfy(ExamplesTest::isValid);
        }
    }

    /** A file of the configuration has the form of a manifest and is no resource. */
    private static boolean isResource(Manifest manifest) {
        return !manifest.document()
                .root()
                .path("apiVersion")
                .asString("")
                .startsWith("apiserver.config.k8s.io/");
    }

    private static void isValid(Manifest manifest) {
        ObjectNode document = manifest.document().root();
        KindDescriptor<?> descriptor =
                Kinds.SCHEME
                        .findKind(
                                document.path("apiVersion").asString(""),
                                document.path("kind").asString(""))
                        .orElseThrow();

        assertThat(manifest.document().duplicates()).isEmpty();
        assertThat(DocumentCheck.of(descriptor, document))
                .isEqualTo(new DocumentCheck(List.of(), List.of()));
    }

    private static Stream<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList()
                    .stream();
        }
    }
}
