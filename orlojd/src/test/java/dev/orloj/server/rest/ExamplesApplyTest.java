package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.ManifestReader;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Those of kustomize are applied by {@code KubernetesClientMatrixTest}. */
@DisplayName("20.9: orlojd and the published schema accept every example")
class ExamplesApplyTest {

    private static Schema schema;

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    @BeforeAll
    static void read() throws IOException {
        schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                        .getSchema(
                                Files.readString(Path.of("../schemas/manifest.json")),
                                InputFormat.JSON);
        // A dry run does not make the namespace that a file begins with.
        RestServer.shared()
                .probe()
                .post(
                        "/api/v1/namespaces",
                        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\":"
                                + " \"team-a\"}}");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleIsAccepted(Path file) {
        OrlojctlRun run =
                OrlojctlRun.of(
                        RestServer.shared().port(),
                        "",
                        "apply",
                        "-f",
                        file.toString(),
                        "--dry-run=server");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("(server dry run)");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleFitsTheSchema(Path file) throws IOException {
        List<String> unreadable = new ArrayList<>();
        List<Manifest> manifests =
                ManifestReader.read(
                        file.toString(), Files.readAllBytes(file), e -> unreadable.add(e + ""));

        assertThat(unreadable).isEmpty();
        assertThat(manifests)
                .isNotEmpty()
                .allSatisfy(manifest -> assertThat(errors(manifest)).isEmpty());
    }

    private static List<Error> errors(Manifest manifest) {
        return schema.validate(manifest.document().root().toString(), InputFormat.JSON);
    }
}
