package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.codec.TestManifests;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;

/** The four shapes of an McpServer that the documentation shows. */
class DocumentedManifestsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stdio-host.yaml",
                "stdio-container-files.yaml",
                "stdio-container-limits.yaml",
                "http-bearer.yaml"
            })
    void isValidAndComesBackAsWritten(String file) throws IOException {
        ObjectNode document = read(file).document().root();

        DocumentCheck check = DocumentCheck.of(McpServer.DESCRIPTOR, document);

        assertThat(check.unknownFields()).isEmpty();
        assertThat(check.errors()).isEmpty();
        McpServer server = ResourceCodec.fromDocument(McpServer.KIND, document);
        ObjectNode written = ResourceCodec.toDocument(server);
        written.remove("status"); // no controller has observed it yet
        assertThat(written).isEqualTo(document);
    }

    private static Manifest read(String file) throws IOException {
        try (InputStream in =
                DocumentedManifestsTest.class.getResourceAsStream("manifests/" + file)) {
            assertThat(in).isNotNull();
            return TestManifests.read(file, in.readAllBytes()).getFirst();
        }
    }
}
