package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.admission.FieldValidation;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

class ResourceRegistryTest {

    private static final String NS = "default";

    private final ResourceRegistry registry = TestRegistry.SHARED.registry();
    private final String name = "r" + UUID.randomUUID().toString().substring(0, 8);
    private final ResourceKey key = new ResourceKey(NS, name);

    private static Document yaml(String text) {
        return DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode created(KindDescriptor<?> kind, String text) {
        String namespace = kind.kind().namespaced() ? NS : "";
        return registry.create(
                        kind, namespace, yaml(text.replace("NAME", name)), WriteOptions.PLAIN)
                .document();
    }

    private ObjectNode merged(KindDescriptor<?> kind, String patch) {
        return registry.patch(
                        kind, key, Part.RESOURCE, new Patch.Merge(yaml(patch)), WriteOptions.PLAIN)
                .document();
    }

    private ObjectNode operated(KindDescriptor<?> kind, String operations) {
        return registry.patch(
                        kind,
                        key,
                        Part.RESOURCE,
                        new Patch.Operations((ArrayNode) Json.MAPPER.readTree(operations)),
                        WriteOptions.PLAIN)
                .document();
    }

    private static ApiException refusal(ThrowingCallable write) {
        return catchThrowableOfType(ApiException.class, write);
    }

    private static String version(ObjectNode document) {
        return document.at("/metadata/resourceVersion").asString();
    }

    @Test
    void whatTheServerOwnsIsNotTheClients() {
        ObjectNode tool =
                created(
                        Tool.DESCRIPTOR,
                        """
                        metadata: {name: NAME, uid: mine, generation: 9, selfLink: x,
                                   creationTimestamp: "2001-01-01T00:00:00Z",
                                   deletionTimestamp: "2001-01-01T00:00:00Z"}
                        spec: {}
                        status: {phase: Fake}
                        """);

        assertThat(UUID.fromString(tool.at("/metadata/uid").asString())).isNotNull();
        assertThat(tool.at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(Instant.parse(tool.at("/metadata/creationTimestamp").asString()).getNano())
                .isZero();
        assertThat(tool.path("metadata").propertyNames())
                .doesNotContain("selfLink", "deletionTimestamp");
        assertThat(tool.has("status")).isFalse();
    }

    private static final String APPLIED_SERVER =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata: {name: %s}
            spec: {transport: http, endpoint: 'http://h.example/mcp'}
            """;

    /**
     * Issue 18: its controller need not write them first. No client owns them, so an apply that
     * does not name them leaves them.
     */
    @Test
    void serverHasItsFinalizerAndPhaseFromTheStart() {
        String spec = "spec: {transport: http, endpoint: 'http://h.example/mcp'}";
        ObjectNode created =
                created(
                        McpServer.DESCRIPTOR,
                        "{metadata: {name: NAME, finalizers: [test.dev/hold]}, "
                                + spec
                                + ", status: {phase: Ready}}");
        Document manifest = yaml(APPLIED_SERVER.formatted(name));
        ObjectNode applied =
                registry.apply(
                                McpServer.DESCRIPTOR,
                                key,
                                Part.RESOURCE,
                                manifest,
                                true,
                                new WriteOptions(FieldValidation.STRICT, false, "applier"))
                        .written()
                        .document();

        assertThat(created.at("/status").toString()).isEqualTo("{\"phase\":\"Pending\"}");
        assertThat(Finalizers.of(created)).containsExactly("test.dev/hold", McpServer.FINALIZER);
        assertThat(Finalizers.of(applied)).contains(McpServer.FINALIZER);
        assertThat(applied.at("/metadata/managedFields").toString())
                .doesNotContain(McpServer.FINALIZER)
                .doesNotContain("f:status");
    }

    @Test
    void appliedServerHasItsFinalizerFromTheStart() {
        for (int round = 0; round < 2; round++) {
            ObjectNode applied =
                    registry.apply(
                                    McpServer.DESCRIPTOR,
                                    key,
                                    Part.RESOURCE,
                                    yaml(APPLIED_SERVER.formatted(name)),
                                    false,
                                    new WriteOptions(FieldValidation.STRICT, false, "applier"))
                            .written()
                            .document();

            assertThat(Finalizers.of(applied)).containsExactly(McpServer.FINALIZER);
            assertThat(applied.at("/status/phase").asString()).isEqualTo("Pending");
            assertThat(applied.at("/metadata/managedFields").toString())
                    .doesNotContain(McpServer.FINALIZER)
                    .doesNotContain("f:status");
        }
    }

    @Test
    void generatedNamesDiffer() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            ObjectNode tool =
                    registry.create(
                                    Tool.DESCRIPTOR,
                                    NS,
                                    yaml("{metadata: {generateName: gen-}, spec: {}}"),
                                    WriteOptions.PLAIN)
                            .document();
            names.add(tool.at("/metadata/name").asString());
        }

        assertThat(names)
                .hasSize(5)
                .allMatch(n -> n.matches("gen-[bcdfghjklmnpqrstvwxz2456789]{5}"));
    }

    @Test
    void createInAMissingNamespaceIsNotFound() {
        ApiException e =
                refusal(
                        () ->
                                registry.create(
                                        Tool.DESCRIPTOR,
                                        "nowhere",
                                        yaml("{metadata: {name: a}, spec: {}}"),
                                        WriteOptions.PLAIN));

        assertThat(e).hasMessage("namespaces \"nowhere\" not found");
    }

    @Test
    void createInATerminatingNamespaceIsForbidden() {
        created(Namespace.DESCRIPTOR, "{metadata: {name: NAME, finalizers: [test.dev/hold]}}");
        registry.delete(
                Namespace.DESCRIPTOR, new ResourceKey("", name), DeleteOptions.UNCONDITIONAL);

        ApiException e =
                refusal(
                        () ->
                                registry.create(
                                        Tool.DESCRIPTOR,
                                        name,
                                        yaml("{metadata: {name: a}, spec: {}}"),
                                        WriteOptions.PLAIN));

        assertThat(e.reason()).isEqualTo(ErrorReason.FORBIDDEN);
        assertThat(e.details().orElseThrow().causes().getFirst().reason())
                .isEqualTo("NamespaceTerminating");
    }

    @Test
    void namespaceIsActiveAndLabelled() {
        ObjectNode namespace =
                created(Namespace.DESCRIPTOR, "{metadata: {name: NAME}, spec: {}, status: {}}");

        assertThat(namespace.at("/status/phase").asString()).isEqualTo("Active");
        assertThat(namespace.at("/metadata/labels/kubernetes.io~1metadata.name").asString())
                .isEqualTo(name);
    }

    @Test
    void namespaceIsHeldUntilItIsFinalized() {
        created(Namespace.DESCRIPTOR, "{metadata: {name: NAME}}");
        ResourceKey namespace = new ResourceKey("", name);

        Deletion deletion =
                registry.delete(Namespace.DESCRIPTOR, namespace, DeleteOptions.UNCONDITIONAL);
        registry.patch(
                Namespace.DESCRIPTOR,
                namespace,
                Part.RESOURCE,
                new Patch.Merge(yaml("{spec: {finalizers: []}}")),
                WriteOptions.PLAIN);
        ObjectNode held = registry.get(Namespace.DESCRIPTOR, namespace);
        ObjectNode released = held.deepCopy();
        released.withArray("/spec/finalizers").removeAll();
        registry.update(
                Namespace.DESCRIPTOR,
                namespace,
                Part.FINALIZERS,
                new Document(released, List.of(), Map.of()),
                WriteOptions.PLAIN);

        assertThat(deletion).isInstanceOf(Deletion.Terminating.class);
        assertThat(held.at("/status/phase").asString()).isEqualTo("Terminating");
        assertThat(held.at("/spec/finalizers").toString()).isEqualTo("[\"kubernetes\"]");
        assertThat(registry.find(Namespace.DESCRIPTOR, namespace)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "orloj-system", "kube-system"})
    void namespaceOfTheSystemStays(String permanent) {
        ApiException e =
                refusal(
                        () ->
                                registry.delete(
                                        Namespace.DESCRIPTOR,
                                        new ResourceKey("", permanent),
                                        DeleteOptions.UNCONDITIONAL));

        assertThat(e.reason()).isEqualTo(ErrorReason.FORBIDDEN);
    }

    @Test
    void dryRunsChecksEverythingAndStoresNothing() {
        WriteOptions dryRun = new WriteOptions(FieldValidation.STRICT, true, "test");
        Document tool = yaml("{metadata: {name: %s}, spec: {}}".formatted(name));

        ObjectNode shown = registry.create(Tool.DESCRIPTOR, NS, tool, dryRun).document();
        ApiException invalid =
                refusal(
                        () ->
                                registry.create(
                                        Tool.DESCRIPTOR,
                                        NS,
                                        yaml("{metadata: {name: A}, spec: {}}"),
                                        dryRun));

        assertThat(shown.at("/metadata/uid").asString()).isNotEmpty();
        assertThat(invalid.reason()).isEqualTo(ErrorReason.INVALID);
        assertThat(registry.find(Tool.DESCRIPTOR, key)).isEmpty();
        created(Tool.DESCRIPTOR, "{metadata: {name: NAME}, spec: {}}");
        registry.delete(Tool.DESCRIPTOR, key, new DeleteOptions("", ResourceVersion.UNSET, true));
        assertThat(registry.find(Tool.DESCRIPTOR, key)).isPresent();
    }

    @Test
    void numbersWrittenInAnotherWayAreNoChange() {
        ObjectNode before =
                created(
                        Tool.DESCRIPTOR,
                        "{metadata: {name: NAME}, spec: {input_schema: {maximum: 100}}}");

        ObjectNode after = merged(Tool.DESCRIPTOR, "{spec: {input_schema: {maximum: 1.0e2}}}");

        assertThat(version(after)).isEqualTo(version(before));
        assertThat(after.at("/metadata/generation").asInt()).isEqualTo(1);
    }

    @Test
    void patchThatNamesAnOldVersionConflicts() {
        created(Tool.DESCRIPTOR, "{metadata: {name: NAME}, spec: {}}");

        ApiException e =
                refusal(() -> merged(Tool.DESCRIPTOR, "{metadata: {resourceVersion: \"1\"}}"));

        assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT);
        assertThat(e).hasMessageContaining("the object has been modified");
    }

    @Test
    void patchMayNotRename() {
        created(Tool.DESCRIPTOR, "{metadata: {name: NAME}, spec: {}}");

        ApiException e = refusal(() -> merged(Tool.DESCRIPTOR, "{metadata: {name: other}}"));

        assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST);
    }

    @Test
    void terminatingResourceGetsNoNewFinalizersAndGoesWithTheLast() {
        created(
                Tool.DESCRIPTOR,
                "{metadata: {name: NAME, finalizers: [test.dev/a, test.dev/b]}, spec: {}}");
        registry.delete(Tool.DESCRIPTOR, key, DeleteOptions.UNCONDITIONAL);
        ObjectNode terminating = registry.get(Tool.DESCRIPTOR, key);

        ApiException e =
                refusal(
                        () ->
                                merged(
                                        Tool.DESCRIPTOR,
                                        "{metadata: {finalizers: [test.dev/a, test.dev/c]}}"));
        merged(Tool.DESCRIPTOR, "{metadata: {finalizers: [test.dev/b]}}");
        assertThat(registry.find(Tool.DESCRIPTOR, key)).isPresent();
        merged(Tool.DESCRIPTOR, "{metadata: {finalizers: null}}");

        assertThat(terminating.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(e.reason()).isEqualTo(ErrorReason.INVALID);
        assertThat(e)
                .hasMessageContaining("no new finalizers can be added")
                .hasMessageContaining("test.dev/c");
        assertThat(registry.find(Tool.DESCRIPTOR, key)).isEmpty();
    }

    @Test
    void inProcessReadersSeePlainValues() {
        created(Secret.DESCRIPTOR, "{metadata: {name: NAME}, spec: {stringData: {a: b}}}");

        Secret secret = TestRegistry.SHARED.client().get(Secret.KIND, key);

        assertThat(secret.spec().data()).containsEntry("a", "Yg==");
    }
}
