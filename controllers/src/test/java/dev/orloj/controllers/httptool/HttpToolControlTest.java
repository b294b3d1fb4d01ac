package dev.orloj.controllers.httptool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Backoff;
import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Controller;
import dev.orloj.controllers.control.LeaderElector;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.secret.EnvironmentSecrets;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.http.HttpTools.Declared;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** H-19: what becomes of declared Tools, and what their status says of it. */
@Timeout(60)
class HttpToolControlTest {

    private static final ResourceKey KEY = new ResourceKey("default", "my.tool");
    private static final String WITH_SECRET =
            "\"type\": \"http\", \"endpoint\": \"http://x\", \"auth\": {\"secretRef\": \"key\"}";

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final ToolCatalog catalog = new ToolCatalog();
    private final Informers informers =
            new Informers(
                    store, List.of(Tool.KIND, Secret.KIND, McpServerPolicy.KIND, Namespace.KIND));
    private final Workqueue<ResourceKey> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(10), 0),
                    clock,
                    new Random(1));
    private Controller controller;

    @BeforeEach
    void follow() {
        HttpToolControl control =
                new HttpToolControl(
                        informers,
                        OperatorSecrets.of(
                                new EnvironmentSecrets(Map.of("ORLOJ_SECRET_FROM_OUTSIDE", "v"))));
        control.feed(catalog);
        controller =
                new Controller(
                        "tool",
                        queue,
                        control.reconciler(store, clock, queue),
                        LeaderElector.ALWAYS,
                        1);
        informers.all().forEach(Informer::start);
        controller.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        controller.stop();
        for (Informer<?> informer : informers.all()) {
            informer.close();
        }
    }

    private static ObjectNode document(String kind, String name, String spec) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "%s",
                         "metadata": {"namespace": "default", "name": "%s"}, "spec": {%s}}
                        """
                                .formatted(kind, name, spec));
    }

    private static Tool tool(String spec) {
        return ResourceCodec.fromDocument(Tool.KIND, document("Tool", KEY.name(), spec));
    }

    private void create(String spec) {
        store.create(Tool.KIND, tool(spec));
    }

    private void createSecret(String name, String value) {
        String encoded = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        store.create(
                Secret.KIND,
                ResourceCodec.fromDocument(
                        Secret.KIND,
                        document(
                                "Secret",
                                name,
                                "\"data\": {\"value\": \"%s\"}".formatted(encoded))));
    }

    private void respecify(String spec) {
        Tool stored = store.get(Tool.KIND, KEY);
        store.update(Tool.KIND, stored.withSpec(tool(spec).spec()));
    }

    private Optional<Condition> ready() {
        Tool.Status status = store.get(Tool.KIND, KEY).status();
        return status == null ? Optional.empty() : Conditions.find(status.conditions(), Tool.READY);
    }

    private void awaitReason(String reason) {
        await().untilAsserted(() -> assertThat(ready().map(Condition::reason)).hasValue(reason));
    }

    private boolean isCallable() {
        return catalog.httpTools().find(KEY).orElse(null) instanceof Declared.Callable
                && catalog.findTool(KEY).isPresent();
    }

    /** Clients that write such Tools see no writes but their own. */
    @Test
    void toolThatDependsOnNothingIsCallableAndHasNoStatus() throws Exception {
        create("\"type\": \"http\", \"endpoint\": \"http://x\"");

        await().until(this::isCallable);
        String version = store.get(Tool.KIND, KEY).metadata().resourceVersion().toString();
        respecify("\"type\": \"http\", \"endpoint\": \"http://x/{a}\", \"method\": \"GET\"");
        await().untilAsserted(
                        () ->
                                assertThat(catalog.findTool(KEY).orElseThrow().inputSchema())
                                        .isEqualTo(
                                                Json.MAPPER.readTree(
                                                        "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"]}")));
        createWitness();
        awaitWitness();

        assertThat(store.get(Tool.KIND, KEY).status()).isNull();
        assertThat(store.get(Tool.KIND, KEY).metadata().resourceVersion().toString())
                .isNotEqualTo(version);
    }

    @Test
    void conditionsThatAnotherClientRemovesAreWrittenAgain() {
        create(WITH_SECRET);
        awaitReason("SecretNotFound");

        Tool stored = store.get(Tool.KIND, KEY);
        Tool.Status emptied = new Tool.Status("", 1, List.of());
        store.updateStatus(Tool.KIND, stored.withStatus(emptied));

        awaitReason("SecretNotFound");
    }

    /** One that the same single worker writes a status of, after all that came before. */
    private void createWitness() {
        store.create(
                Tool.KIND,
                ResourceCodec.fromDocument(
                        Tool.KIND, document("Tool", "other", "\"type\": \"grpc\"")));
    }

    private void awaitWitness() {
        await().until(
                        () ->
                                store.get(Tool.KIND, new ResourceKey("default", "other")).status()
                                        != null);
    }

    @Test
    void clientsSeeItByANameThatModelsTakeWithItsDefinition() {
        create(
                "\"type\": \"http\", \"endpoint\": \"http://x\", \"description\": \"It does.\","
                        + " \"extra\": {\"x\": 1.50}");

        await().until(this::isCallable);

        ToolEntry entry = catalog.findByAgentName("default", "my_tool").orElseThrow();
        assertThat(entry.definition().toString())
                .isEqualTo(
                        "{\"name\":\"my.tool\",\"description\":\"It"
                            + " does.\",\"x\":1.50,\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'type': 'http' | EndpointMissing | spec.endpoint is empty; give the URL",
                "'type': 'http', 'endpoint': 'http://x/{' | TemplateInvalid | spec.endpoint: ",
                "'type': 'http', 'endpoint': 'x' | TemplateInvalid | must be a URL such as",
                "'type': 'http', 'endpoint': 'http://x', 'query': [{'name': 'a', 'value': '}'}] |"
                        + " TemplateInvalid | spec.query[0].value: ",
                "'type': 'http', 'endpoint': 'http://x', 'headers': [{'name': 'a', 'value': '{'}] |"
                        + " TemplateInvalid | spec.headers[0].value: ",
                "'type': 'http', 'endpoint': 'http://x', 'body': {'a': ['{']} | TemplateInvalid |"
                        + " spec.body: ",
                "'type': 'http', 'endpoint': 'http://x/{a}', 'input_schema': {'properties': {'b':"
                        + " {}}} | TemplateInvalid | no property",
                "'type': 'http', 'endpoint': 'http://x', 'query': [{'name': 'a', 'secretRef':"
                        + " 'no'}] | SecretNotFound | spec.query[0].secretRef: Secret",
                "'type': 'http', 'endpoint': 'http://x', 'auth': {'secretRef': 'no'} |"
                        + " SecretNotFound | spec.auth.secretRef: Secret",
                "'type': 'queue' | TypeNotSupported | cannot be called; use http with"
                        + " spec.endpoint",
                "'type': 'mcp' | McpServerRefMissing | spec.mcp_server_ref is empty",
            })
    void toolThatCannotBeCalledSaysWhyInItsStatusAndToItsCallers(
            String spec, String reason, String message) {
        create(spec.replace('\'', '"'));

        awaitReason(reason);

        Tool.Status status = store.get(Tool.KIND, KEY).status();
        assertThat(status.phase()).isEqualTo("Error");
        assertThat(status.observedGeneration()).isEqualTo(1);
        Condition ready = ready().orElseThrow();
        assertThat(ready.status()).isEqualTo(Condition.Status.FALSE);
        assertThat(ready.message()).contains(message);
        assertThat(catalog.httpTools().find(KEY)).contains(new Declared.Refused(ready.message()));
        assertThat(catalog.findTool(KEY)).as("not listed").isEmpty();
    }

    @Test
    void secretThatComesGoesAndComesBackIsFollowed() {
        create(WITH_SECRET);
        awaitReason("SecretNotFound");

        createSecret("key", "one");
        awaitReason("Callable");
        await().until(this::isCallable);
        assertThat(store.get(Tool.KIND, KEY).status().phase()).isEqualTo("Ready");

        store.delete(Secret.KIND, new ResourceKey("default", "key"), DeleteOptions.UNCONDITIONAL);
        awaitReason("SecretNotFound");
        await().until(() -> !isCallable());
    }

    @Test
    void toolThatIsMendedSaysSoAndFollowsEachGeneration() {
        create("\"type\": \"http\"");
        awaitReason("EndpointMissing");

        respecify("\"type\": \"http\", \"endpoint\": \"http://x\"");
        awaitReason("Callable");
        respecify("\"type\": \"http\", \"endpoint\": \"http://y\"");

        await().untilAsserted(
                        () ->
                                assertThat(store.get(Tool.KIND, KEY).status().observedGeneration())
                                        .isEqualTo(3));
    }

    @Test
    void variableOfOrlojdStandsInForASecret() {
        create(WITH_SECRET.replace("\"key\"", "\"from-outside\""));

        await().until(this::isCallable);
        awaitReason("Callable");
    }

    @Test
    void toolThatGoesOrBecomesAnotherTypeIsNotCalledAnyMore() {
        create("\"type\": \"http\", \"endpoint\": \"http://x\"");
        await().until(this::isCallable);

        respecify("\"type\": \"external\", \"endpoint\": \"http://x\"");
        awaitReason("TypeNotSupported");
        await().until(() -> catalog.findTool(KEY).isEmpty());

        respecify("\"type\": \"mcp\", \"mcp_server_ref\": \"s\", \"mcp_tool_name\": \"t\"");
        await().until(() -> catalog.httpTools().find(KEY).isEmpty());
        await().until(() -> ready().isEmpty());

        respecify("\"type\": \"http\", \"endpoint\": \"http://x\"");
        await().until(this::isCallable);
        store.delete(Tool.KIND, KEY, DeleteOptions.UNCONDITIONAL);
        await().until(
                        () ->
                                catalog.httpTools().find(KEY).isEmpty()
                                        && catalog.findTool(KEY).isEmpty());
    }

    @Test
    void laterPolicyStopsCallsAndItsEndAllowsThemAgain() {
        namespace();
        create("\"type\": \"http\", \"endpoint\": \"https://api.example.com/x\"");
        await().until(this::isCallable);

        policy("hosts", "\"endpoints\": {\"hosts\": [\"*.acme.com\"]}");

        awaitReason("PolicyViolation");
        String message = ready().orElseThrow().message();
        assertThat(message)
                .isEqualTo(
                        "McpServerPolicy \"hosts\" does not allow spec.endpoint"
                                + " \"https://api.example.com/x\": allowed hosts: *.acme.com");
        await().until(() -> !isCallable());
        assertThat(catalog.httpTools().find(KEY)).contains(new Declared.Refused(message));

        store.delete(
                McpServerPolicy.KIND, new ResourceKey("", "hosts"), DeleteOptions.UNCONDITIONAL);
        awaitReason("Callable");
        await().until(this::isCallable);
    }

    @Test
    void labelsOfTheNamespaceAndTheSelectorOfAPolicyDecideForTools() {
        namespace();
        create("\"type\": \"http\", \"endpoint\": \"https://api.example.com/x\"");
        policy(
                "closed",
                "\"namespace_selector\": {\"matchLabels\": {\"tier\": \"closed\"}},"
                        + " \"endpoints\": {\"hosts\": [\"*.acme.com\"]}");
        await().until(this::isCallable);

        Namespace before = store.get(Namespace.KIND, new ResourceKey("", "default"));
        store.update(
                Namespace.KIND,
                before.withMetadata(before.metadata().withLabels(Map.of("tier", "closed"))));
        awaitReason("PolicyViolation");
        await().until(() -> !isCallable());

        McpServerPolicy policy = store.get(McpServerPolicy.KIND, new ResourceKey("", "closed"));
        store.update(
                McpServerPolicy.KIND,
                policyOf(
                                "closed",
                                "\"namespace_selector\": {\"matchLabels\": {\"tier\":"
                                        + " \"other\"}}, \"hosting\": [\"http\"]")
                        .withMetadata(policy.metadata()));
        awaitReason("Callable");
        await().until(this::isCallable);
    }

    private void namespace() {
        store.create(
                Namespace.KIND,
                ResourceCodec.fromDocument(
                        Namespace.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "v1", "kind": "Namespace",
                                         "metadata": {"name": "default"}}
                                        """)));
    }

    private void policy(String name, String spec) {
        store.create(McpServerPolicy.KIND, policyOf(name, spec));
    }

    private static McpServerPolicy policyOf(String name, String spec) {
        return ResourceCodec.fromDocument(
                McpServerPolicy.KIND,
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "McpServerPolicy",
                                 "metadata": {"name": "%s"}, "spec": {%s}}
                                """
                                        .formatted(name, spec)));
    }
}
