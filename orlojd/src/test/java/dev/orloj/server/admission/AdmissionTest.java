package dev.orloj.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.SensitiveValues;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.PodPolicy;
import dev.orloj.controllers.sandbox.ServerEngine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

class AdmissionTest {

    private static final String LAST_APPLIED =
            "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

    private final Admission admission = new Admission(List.of());

    private static Document yaml(String text) {
        return DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode admitted(KindDescriptor<?> kind, String text) {
        return admitted(kind, text, Optional.empty());
    }

    private ObjectNode admitted(KindDescriptor<?> kind, String text, Optional<ObjectNode> before) {
        ObjectNode document =
                admission.receive(kind, yaml(text), FieldValidation.IGNORE).document();
        admission.admit(kind, document, before, Optional.empty());
        return document;
    }

    private ApiException refusal(KindDescriptor<?> kind, String text) {
        return catchThrowableOfType(ApiException.class, () -> admitted(kind, text));
    }

    private static List<String> fields(ApiException e) {
        return e.details().orElseThrow().causes().stream().map(Status.Cause::field).toList();
    }

    @Test
    void strictValidationNamesEveryUnknownAndDuplicateField() {
        Document document =
                yaml("{kind: Tool, metadata: {name: a}, spec: {bogus: 1, type: http, type: grpc}}");

        ApiException e =
                catchThrowableOfType(
                        ApiException.class,
                        () -> admission.receive(Tool.DESCRIPTOR, document, FieldValidation.STRICT));

        assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST);
        assertThat(e)
                .hasMessage(
                        "Tool in version \"v1\" cannot be handled as a Tool: strict decoding error:"
                                + " unknown field \"spec.bogus\", duplicate field \"spec.type\"");
    }

    @Test
    void lenientValidationWarnsAndPrunes() {
        Document document = yaml("{metadata: {name: a}, spec: {bogus: 1}}");

        Received received = admission.receive(Tool.DESCRIPTOR, document, FieldValidation.WARN);

        assertThat(received.warnings()).containsExactly("unknown field \"spec.bogus\"");
        assertThat(received.document().at("/spec").has("bogus")).isFalse();
    }

    @Test
    void podThatIsNotMadeIsAWarningAndNoError() {
        Admission containers = new Admission(List.of(new ContainerRule(ContainerPolicy.DEFAULT)));
        String spec = "{transport: stdio, image: a/b%s}";
        String placed = spec.formatted(", pod: {labels: {team: web}}");

        assertThat(containers.warnings(McpServer.DESCRIPTOR, admitted(containers, placed)))
                .containsExactly(
                        "spec.pod has no effect: this orlojd runs images in containers of Docker or"
                                + " Podman, not in Pods (--container-engine)");
        assertThat(
                        containers.warnings(
                                McpServer.DESCRIPTOR, admitted(containers, spec.formatted(""))))
                .isEmpty();
    }

    @Test
    void foldersThatAPodDoesNotHaveAreAWarningAndNoError() {
        ContainerPolicy usual = ContainerPolicy.DEFAULT;
        ContainerRule pods =
                new ContainerRule(
                        new ContainerPolicy(
                                usual.level(),
                                usual.defaults(),
                                usual.ceilings(),
                                usual.folders(),
                                ServerEngine.POD,
                                PodPolicy.DEFAULT));

        Admission admits = new Admission(List.of(pods));

        assertThat(admits.warnings(Sandbox.DESCRIPTOR, sandbox(", mounts: [{host_path: /srv}]")))
                .containsExactly(
                        "spec.mounts is not possible in a Pod: unless an McpServerPolicy requires"
                                + " engine \"container\", the Sandbox is not accepted; copy what"
                                + " is needed into the image");
        assertThat(admits.warnings(Sandbox.DESCRIPTOR, sandbox(""))).isEmpty();
    }

    private ObjectNode sandbox(String more) {
        Document document = yaml("{metadata: {name: a}, spec: {image: a/b%s}}".formatted(more));
        return admission.receive(Sandbox.DESCRIPTOR, document, FieldValidation.STRICT).document();
    }

    private static ObjectNode admitted(Admission admission, String spec) {
        Document document = yaml("{metadata: {name: a}, spec: %s}".formatted(spec));
        ObjectNode received =
                admission
                        .receive(McpServer.DESCRIPTOR, document, FieldValidation.STRICT)
                        .document();
        admission.admit(McpServer.DESCRIPTOR, received, Optional.empty(), Optional.empty());
        return received;
    }

    /** H-24: without what was meant, all tools would be offered. */
    @ParameterizedTest
    @EnumSource(FieldValidation.class)
    void misspelledFieldOfTheToolFilterIsRefused(FieldValidation validation) {
        Document document =
                yaml("{metadata: {name: a}, spec: {tool_filter: {exlude: [rm], include: []}}}");
        ObjectNode received =
                admission.receive(McpServer.DESCRIPTOR, document, validation).document();

        ApiException e =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                admission.admit(
                                        McpServer.DESCRIPTOR,
                                        received,
                                        Optional.empty(),
                                        Optional.empty()));

        assertThat(e.reason()).isEqualTo(ErrorReason.INVALID);
        assertThat(e)
                .hasMessageContaining(
                        "spec.tool_filter.exlude: Forbidden: unknown field; did you mean"
                            + " \"exclude\"? the fields of spec.tool_filter are exclude, include");
        assertThat(fields(e)).contains("spec.tool_filter.exlude");
    }

    @Test
    void absentKindIsFilledInAndItsCaseDoesNotMatter() {
        ObjectNode absent = admitted(Tool.DESCRIPTOR, "{metadata: {name: a}, spec: {}}");
        ObjectNode lower = admitted(Tool.DESCRIPTOR, "{kind: tool, metadata: {name: a}, spec: {}}");

        assertThat(absent.path("apiVersion").asString()).isEqualTo("orloj.dev/v1");
        assertThat(lower.path("kind").asString()).isEqualTo("Tool");
    }

    @Test
    void otherKindIsRefused() {
        ApiException e =
                refusal(Tool.DESCRIPTOR, "{kind: McpServer, metadata: {name: a}, spec: {}}");

        assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST);
        assertThat(e).hasMessageContaining("\"McpServer\"").hasMessageContaining("\"Tool\"");
    }

    @Test
    void metadataOfTheWrongTypeIsRefused() {
        assertThat(refusal(Tool.DESCRIPTOR, "{metadata: 5, spec: {}}"))
                .hasMessageContaining("\"metadata\" must be an object");
        assertThat(refusal(Tool.DESCRIPTOR, "{metadata: {name: 5}, spec: {}}"))
                .hasMessageContaining("\"metadata.name\" must be text");
        assertThat(refusal(Tool.DESCRIPTOR, "{metadata: {resourceVersion: x}, spec: {}}"))
                .hasMessageContaining("\"x\"");
    }

    @Test
    void allErrorsComeAtOnce() {
        ApiException e =
                refusal(
                        McpServer.DESCRIPTOR,
                        """
                        metadata:
                          name: Bad_Name
                          labels: {"no/t/ok": v, fine: "no t ok"}
                          finalizers: [bare]
                          ownerReferences:
                          - {apiVersion: v1, kind: A, name: a, uid: "1", controller: true}
                          - {apiVersion: v1, kind: A, name: b, uid: "2", controller: true}
                        spec: {transport: stdio}
                        """);

        assertThat(e.reason()).isEqualTo(ErrorReason.INVALID);
        assertThat(fields(e))
                .containsExactly(
                        "metadata.name",
                        "metadata.labels",
                        "metadata.labels",
                        "metadata.ownerReferences",
                        "metadata.finalizers",
                        "spec.command");
    }

    @Test
    void missingNameIsRequired() {
        assertThat(fields(refusal(Tool.DESCRIPTOR, "{spec: {}}"))).containsExactly("metadata.name");
    }

    @Test
    void tooLongAnnotationsAndDocumentsAreRefused() {
        String kilobyte = "x".repeat(1024);
        String annotations =
                "{metadata: {name: a, annotations: {a: '%s'}}, spec: {}}"
                        .formatted(kilobyte.repeat(257));
        String document =
                "{metadata: {name: a}, spec: {description: '%s'}}".formatted(kilobyte.repeat(1025));

        assertThat(fields(refusal(Tool.DESCRIPTOR, annotations)))
                .containsExactly("metadata.annotations");
        assertThat(refusal(Tool.DESCRIPTOR, document).reason())
                .isEqualTo(ErrorReason.REQUEST_ENTITY_TOO_LARGE);
    }

    @Test
    void defaultsAreFilledIn() {
        ObjectNode tool = admitted(Tool.DESCRIPTOR, "{metadata: {name: a}, spec: {}}");

        assertThat(tool.at("/spec/type").asString()).isEqualTo("http");
    }

    @Test
    void maskedValueKeepsTheStoredOne() {
        ObjectNode before =
                admitted(Secret.DESCRIPTOR, "{metadata: {name: s}, spec: {data: {a: YQ==}}}");

        ObjectNode after =
                admitted(
                        Secret.DESCRIPTOR,
                        "{metadata: {name: s}, spec: {data: {a: '***', b: Yg==}}}",
                        Optional.of(before));

        assertThat(after.at("/spec/data/a").asString()).isEqualTo("YQ==");
        assertThat(after.at("/spec/data/b").asString()).isEqualTo("Yg==");
    }

    @Test
    void maskedValueThatStandsForNothingIsRefused() {
        ApiException e =
                refusal(Secret.DESCRIPTOR, "{metadata: {name: s}, spec: {data: {a: '***'}}}");

        assertThat(fields(e)).containsExactly("spec.data[a]");
    }

    @Test
    void badBase64IsRefusedWithoutTheValue() {
        ApiException e =
                refusal(Secret.DESCRIPTOR, "{metadata: {name: s}, spec: {data: {a: 'hunter 2'}}}");

        assertThat(e.reason()).isEqualTo(ErrorReason.INVALID);
        assertThat(e.getMessage()).doesNotContain("hunter");
    }

    @Test
    void immutableSecretRefusesOtherData() {
        ObjectNode before =
                admitted(
                        Secret.DESCRIPTOR,
                        "{metadata: {name: s}, spec: {immutable: true, data: {a: YQ==}}}");

        ApiException e =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                admitted(
                                        Secret.DESCRIPTOR,
                                        "{metadata: {name: s}, spec: {data: {a: Yg==}}}",
                                        Optional.of(before)));

        assertThat(fields(e)).containsExactly("spec.immutable", "spec.data");
    }

    @Test
    void aRuleThatCameLaterHoldsForWhatChangesOnly() {
        AdmissionRule noGreeting =
                resource ->
                        resource instanceof ConfigMap map && map.data().containsKey("greeting")
                                ? List.of(
                                        FieldError.forbidden(
                                                FieldPath.of("data", "greeting"), "no greetings"))
                                : List.of();
        Admission strict = new Admission(List.of(noGreeting));
        ObjectNode stored =
                admitted(ConfigMap.DESCRIPTOR, "{metadata: {name: m}, data: {greeting: hello}}");
        ObjectNode changed =
                admitted(
                        ConfigMap.DESCRIPTOR,
                        "{metadata: {name: m}, data: {greeting: hello, more: data}}");
        ObjectNode other = admitted(ConfigMap.DESCRIPTOR, "{metadata: {name: m}, data: {}}");

        strict.admit(ConfigMap.DESCRIPTOR, changed, Optional.of(stored), Optional.empty());
        ApiException created =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                strict.admit(
                                        ConfigMap.DESCRIPTOR,
                                        stored,
                                        Optional.empty(),
                                        Optional.empty()));
        ApiException updated =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                strict.admit(
                                        ConfigMap.DESCRIPTOR,
                                        stored,
                                        Optional.of(other),
                                        Optional.empty()));

        assertThat(fields(created)).containsExactly("data.greeting");
        assertThat(fields(updated)).containsExactly("data.greeting");
    }

    /** Otherwise it could not even lose its finalizer, and would never be deleted. */
    @Test
    void aValidatorThatCameLaterHoldsForWhatChangesOnly() {
        ObjectNode stored =
                admitted(
                        McpServer.DESCRIPTOR,
                        "{metadata: {name: t, finalizers: [a/b]}, spec: {transport: stdio, image:"
                                + " i, env: [{name: A, secretRef: s, mountPath: /secrets/a}]}}");
        ((ObjectNode) stored.at("/spec/env/0")).put("mountPath", "/proc/a");
        ObjectNode released = stored.deepCopy();
        released.withObject("/metadata").remove("finalizers");
        ObjectNode changed = stored.deepCopy();
        ((ObjectNode) changed.at("/spec/env/0")).put("mountPath", "/sys/a");

        admission.admit(McpServer.DESCRIPTOR, released, Optional.of(stored), Optional.empty());
        ApiException created =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                admission.admit(
                                        McpServer.DESCRIPTOR,
                                        stored,
                                        Optional.empty(),
                                        Optional.empty()));
        ApiException updated =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                admission.admit(
                                        McpServer.DESCRIPTOR,
                                        changed,
                                        Optional.of(stored),
                                        Optional.empty()));

        assertThat(fields(created)).containsExactly("spec.env[0].mountPath");
        assertThat(fields(updated)).containsExactly("spec.env[0].mountPath");
    }

    /** H-15: as the validators do, the schema accepts what an earlier version has stored. */
    @Test
    void aSchemaThatBecameStricterHoldsForWhatChangesOnly() {
        ObjectNode stored =
                admitted(
                        McpServer.DESCRIPTOR,
                        "{metadata: {name: t}, spec: {transport: stdio, command: c, args: [a],"
                                + " max_message_bytes: 65536}}");
        stored.withObject("/spec").put("max_message_bytes", 1);
        ObjectNode released = stored.deepCopy();
        released.withObject("/metadata").putObject("labels").put("a", "b");
        ObjectNode changed = stored.deepCopy();
        changed.withObject("/spec").put("max_message_bytes", 2);

        admission.admit(McpServer.DESCRIPTOR, released, Optional.of(stored), Optional.empty());
        ApiException created =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                admission.admit(
                                        McpServer.DESCRIPTOR,
                                        stored.deepCopy(),
                                        Optional.empty(),
                                        Optional.empty()));
        ApiException updated =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                admission.admit(
                                        McpServer.DESCRIPTOR,
                                        changed,
                                        Optional.of(stored),
                                        Optional.empty()));

        assertThat(fields(created)).containsExactly("spec.max_message_bytes");
        assertThat(fields(updated)).containsExactly("spec.max_message_bytes");
    }

    @Test
    void maskedManifestOfTheLastApplyKeepsTheStoredOne() {
        String stored = "{\"apiVersion\":\"orloj.dev/v1\",\"spec\":{\"data\":{\"a\":\"YQ==\"}}}";
        ObjectNode before =
                admitted(Secret.DESCRIPTOR, "{metadata: {name: s}, spec: {data: {a: YQ==}}}");
        before.withObject("/metadata/annotations").put(SensitiveValues.LAST_APPLIED, stored);
        ObjectNode sent = SensitiveValues.masked(Secret.DESCRIPTOR, before);
        assertThat(sent.at(LAST_APPLIED).asString()).contains("***").doesNotContain("YQ==");

        new Admission(List.of())
                .admit(Secret.DESCRIPTOR, sent, Optional.of(before), Optional.empty());

        assertThat(sent).isEqualTo(before);
    }
}
