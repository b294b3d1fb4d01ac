package dev.orloj.controllers.mcpserver.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.secret.EnvironmentSecrets;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.workload.ProcessUser;
import dev.orloj.runtime.workload.ProcessUsers;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

class DefinitionResolverTest {

    private static final ProcessUser MCP_WEB =
            new ProcessUser("mcp-web", 990, 990, Path.of("/home/mcp-web"));

    private final Map<ResourceKey, Secret> secrets = new HashMap<>();
    private final Map<ResourceKey, ConfigMap> configMaps = new HashMap<>();
    private final Map<ResourceKey, Sandbox> sandboxes = new HashMap<>();
    private final DefinitionResolver resolver =
            new DefinitionResolver(
                    key -> Optional.ofNullable(secrets.get(key)),
                    key -> Optional.ofNullable(configMaps.get(key)),
                    key -> Optional.ofNullable(sandboxes.get(key)),
                    new ServerDefaults(
                            Duration.ofSeconds(60),
                            Duration.ofSeconds(2),
                            ContainerPolicy.DEFAULT,
                            ListingLimits.Ceilings.DEFAULT,
                            OperatorSecrets.of(
                                    new EnvironmentSecrets(
                                            Map.of(
                                                    "ORLOJ_SECRET_MY_KEY", "of-orlojd",
                                                    "ORLOJ_SECRET_MY_KEY_TOKEN", "token-of-orlojd",
                                                    "ORLOJ_SECRET_EMPTY", ""))),
                            new ProcessUsers(null, Map.of("web", MCP_WEB))));

    private void secret(String namespace, String name, String key, String value) {
        Secret secret = Manifests.secret(namespace, name, key, value);
        secrets.put(secret.key(), secret);
    }

    private ServerDefinition definition(String spec) {
        Resolution resolution = resolver.resolve(Manifests.server("default", "git", spec));
        assertThat(resolution).isInstanceOf(Resolution.Resolved.class);
        return ((Resolution.Resolved) resolution).definition();
    }

    private Resolution.Refused refusal(String spec) {
        Resolution resolution = resolver.resolve(Manifests.server("default", "git", spec));
        assertThat(resolution).isInstanceOf(Resolution.Refused.class);
        return (Resolution.Refused) resolution;
    }

    private static String env(String reference) {
        return "\"transport\": \"stdio\", \"command\": \"x\", \"env\": [{\"name\": \"TOKEN\", \"secretRef\": \"%s\"}]"
                .formatted(reference);
    }

    private static String auth(String fields) {
        return "\"transport\": \"http\", \"endpoint\": \"https://mcp.example.com/mcp\", \"auth\": {\"secretRef\": \"creds\" %s}"
                .formatted(fields);
    }

    @Test
    void commandIsSplitAtWhiteSpaceAndArgumentsStayWhole() {
        ServerDefinition definition =
                definition(
                        "\"transport\": \"stdio\", \"command\": \" npx  -y @scope/server \","
                                + " \"args\": [\"two words\", \"$HOME\"]");

        assertThat(((ServerAddress.Stdio) definition.address()).command())
                .containsExactly("npx", "-y", "@scope/server", "two words", "$HOME");
    }

    @Test
    void aProgramRunsAsTheUserOfItsNamespace() {
        String spec = "\"transport\": \"stdio\", \"command\": \"x\"";
        Resolution ofWeb = resolver.resolve(Manifests.server("web", "git", spec));

        assertThat(((Resolution.Resolved) ofWeb).definition().address().user()).contains(MCP_WEB);
        assertThat(definition(spec).address().user()).isEmpty();
    }

    @Test
    void defaultsAreThoseOfTheReference() {
        ServerDefinition definition = definition("\"transport\": \"stdio\", \"command\": \"x\"");

        assertThat(definition.reconnect()).isEqualTo(new ReconnectPolicy(3, Duration.ofSeconds(2)));
        assertThat(definition.timeouts().idle()).isZero();
        assertThat(definition.timeouts().call()).isEqualTo(Duration.ofSeconds(30));
        assertThat(definition.timeouts().idleCall()).isZero();
        assertThat(definition.limits()).isEqualTo(CallLimits.DEFAULT);
    }

    /** H-23. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                                                                | DETECTED | 10 | 1
                    , "max_sessions": 3                         | DETECTED | 3  | 3
                    , "singleton": true                         | DETECTED | 1  | 1
                    , "session_scope": "shared"                 | SHARED   | 10 | 1
                    , "session_scope": "agent"                  | AGENT    | 10 | 1
                    , "session_scope": "call", "max_sessions": 4 | CALL    | 4  | 4
                    """)
    void clientsShareSessionsAsTheManifestSays(
            @Nullable String members, SessionScope scope, int most, int sideBySide) {
        ServerDefinition definition =
                definition(
                        "\"transport\": \"stdio\", \"command\": \"x\""
                                + (members == null ? "" : members));

        assertThat(definition.sharing().isolation()).isEqualTo(new Isolation(scope, most));
        assertThat(definition.sharing().maxSessions()).isEqualTo(sideBySide);
    }

    /** H-22. */
    @ParameterizedTest
    @CsvSource({", COERCE", "strict, STRICT", "coerce, COERCE", "off, OFF"})
    void argumentsAreCheckedAsTheManifestSays(@Nullable String check, ArgumentMode mode) {
        String field = check == null ? "" : ", \"argument_check\": \"%s\"".formatted(check);

        assertThat(
                        definition("\"transport\": \"stdio\", \"command\": \"x\"" + field)
                                .argumentMode())
                .isEqualTo(mode);
    }

    /** H-31. */
    @Test
    void olderServersGetThePromisedExtensions() {
        ServerDefinition definition =
                definition(
                        "\"transport\": \"stdio\", \"command\": \"x\", \"bridge\":"
                                + " {\"extensions\": {\"a/b\": {\"c\": [1.50]}}}");

        assertThat(definition.requestPolicy().extensions()).hasToString("{\"a/b\":{\"c\":[1.50]}}");
    }

    @Test
    void limitsAreThoseOfTheManifest() {
        ServerDefinition definition =
                definition(
                        """
                        "transport": "stdio", "command": "x",
                        "idle_call_timeout": "7s", "startup_timeout": "8s", "shutdown_grace": "9s",
                        "max_concurrent_calls": 2, "max_queued_calls": 0, "queue_timeout": "3s",
                        "rate_limit": {"calls": 4, "period": "1m"},
                        "circuit_breaker": {"failures": 6, "window": "2m", "open_for": "1s"}
                        """);

        assertThat(definition.timeouts().idleCall()).isEqualTo(Duration.ofSeconds(7));
        assertThat(definition.timeouts().startup()).isEqualTo(Duration.ofSeconds(8));
        assertThat(((ServerAddress.Stdio) definition.address()).shutdownGrace())
                .isEqualTo(Duration.ofSeconds(9));
        assertThat(definition.limits())
                .isEqualTo(
                        new CallLimits(
                                2,
                                0,
                                Duration.ofSeconds(3),
                                Optional.of(new CallLimits.Rate(4, Duration.ofMinutes(1))),
                                Optional.of(
                                        new CallLimits.Breaker(
                                                6, Duration.ofMinutes(2), Duration.ofSeconds(1)))));
    }

    @Test
    void emptyCircuitBreakerTakesItsDefaults() {
        assertThat(
                        definition(
                                        "\"transport\": \"stdio\", \"command\": \"x\","
                                                + " \"circuit_breaker\": {}")
                                .limits()
                                .breaker())
                .contains(new CallLimits.Breaker(5, Duration.ofMinutes(1), Duration.ofSeconds(30)));
    }

    @Test
    void processThatStaysIsLookedAfterUnasked() {
        HealthProbe usual = new HealthProbe(Duration.ofMinutes(1), Duration.ofSeconds(10), 3);
        String stdio = "\"transport\": \"stdio\", \"command\": \"x\"";
        String http = "\"transport\": \"http\", \"endpoint\": \"https://h/mcp\"";

        assertThat(definition(stdio).policy().health()).contains(usual);
        assertThat(definition(stdio + ", \"health\": {\"period\": \"0\"}").policy().health())
                .isEmpty();
        assertThat(definition(stdio + ", \"idle_timeout\": \"5m\"").policy().health()).isEmpty();
        assertThat(definition(http).policy().health()).isEmpty();
        assertThat(definition(http + ", \"health\": {}").policy().health()).contains(usual);
    }

    @Test
    void lifeOfSessionsIsThatOfTheManifest() {
        ServerDefinition definition =
                definition(
                        """
                        "transport": "http", "endpoint": "https://h/mcp",
                        "health": {"period": "2s", "timeout": "1s", "failures": 4},
                        "max_lifetime": "24h", "max_calls": 1000, "drain_timeout": "5s"
                        """);

        assertThat(definition.policy())
                .isEqualTo(
                        new SessionPolicy(
                                Optional.of(
                                        new HealthProbe(
                                                Duration.ofSeconds(2), Duration.ofSeconds(1), 4)),
                                Duration.ofDays(1),
                                1000,
                                Optional.of(Duration.ofSeconds(5))));
    }

    @Test
    void givenValuesAreTaken() {
        ServerDefinition definition =
                definition(
                        "\"transport\": \"stdio\", \"command\": \"x\", \"idle_timeout\": \"5m\","
                                + " \"timeout\": \"1s\", \"reconnect\": {\"max_attempts\": 7,"
                                + " \"backoff\": \"10ms\"}");

        assertThat(definition.reconnect()).isEqualTo(new ReconnectPolicy(7, Duration.ofMillis(10)));
        assertThat(definition.timeouts().idle()).isEqualTo(Duration.ofMinutes(5));
        assertThat(definition.timeouts().call()).isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({"creds", "creds/token", "creds:token"})
    void secretReferencesNameSecretAndKey(String reference) {
        secret("default", "creds", "token", "s3cret");

        assertThat(((ServerAddress.Stdio) definition(env(reference)).address()).env())
                .containsEntry("TOKEN", "s3cret");
    }

    @Test
    void secretOfAnotherNamespaceIsNotFound() {
        secret("team-b", "creds", "token", "s3cret");

        assertThat(refusal(env("creds")).reason()).isEqualTo("SecretNotFound");
        assertThat(refusal(env("team-b/creds")).message()).contains("\"team-b\"");
    }

    /** H-20. */
    @ParameterizedTest
    @CsvSource({"my-key, of-orlojd", "my.key, of-orlojd", "my-key/token, token-of-orlojd"})
    void variableOfOrlojdStandsInForASecretThatDoesNotExist(String reference, String value) {
        ServerDefinition definition = definition(env(reference));

        assertThat(((ServerAddress.Stdio) definition.address()).env())
                .containsEntry("TOKEN", value);
        Resolution.Resolved resolved =
                (Resolution.Resolved)
                        resolver.resolve(Manifests.server("default", "git", env(reference)));
        assertThat(resolved.secrets()).as("kept out of messages").contains(value);
        assertThat(resolved.sources()).singleElement().asString().startsWith("ORLOJ_SECRET_MY");
    }

    /** H-20: a Secret that is there counts, also one that lacks the key. */
    @Test
    void secretComesBeforeTheVariableOfOrlojd() {
        secret("default", "my-key", "value", "of-the-secret");

        assertThat(((ServerAddress.Stdio) definition(env("my-key")).address()).env())
                .containsEntry("TOKEN", "of-the-secret");
        assertThat(refusal(env("my-key/token")).reason()).isEqualTo("SecretKeyNotFound");
    }

    /** H-20. */
    @Test
    void missingSecretNamesTheVariableThatWouldDo() {
        assertThat(refusal(env("creds/api-key")).message())
                .contains("\"creds\"", "ORLOJ_SECRET_CREDS_API_KEY");
        assertThat(refusal(env("empty")).reason()).isEqualTo("SecretNotFound");
    }

    /** The value may be there: only the key that protects it is lost. */
    @Test
    void secretWhoseEncryptionKeyIsLostIsNotOneWithoutTheValue() {
        Secret sealed = Manifests.secret("default", "creds", "other", "s3cret");
        secrets.put(
                sealed.key(),
                sealed.withMetadata(
                        sealed.metadata()
                                .withAnnotations(Map.of(Secret.MISSING_KEY, "0123456789abcdef"))));

        Resolution.Refused refusal = refusal(env("creds/password"));

        assertThat(refusal.reason()).isEqualTo("EncryptionKeyMissing");
        assertThat(refusal.message()).contains("0123456789abcdef", "put the key back");
    }

    @Test
    void missingKeyIsNamed() {
        secret("default", "creds", "token", "s3cret");

        Resolution.Refused refusal = refusal(env("creds/password"));

        assertThat(refusal.reason()).isEqualTo("SecretKeyNotFound");
        assertThat(refusal.message())
                .isEqualTo(
                        "spec.env[0].secretRef: Secret \"creds\" has no key \"password\"; add it,"
                                + " or refer to another");
    }

    @Test
    void bearerIsTheDefaultProfileAndLineEndsAreTakenOff() {
        secret("default", "creds", "token", "s3cret\n");

        assertThat(((ServerAddress.Http) definition(auth("")).address()).headers())
                .isEqualTo(Map.of("Authorization", "Bearer s3cret"));
    }

    @Test
    void apiKeyGoesIntoItsHeader() {
        secret("default", "creds", "token", "s3cret");

        assertThat(
                        ((ServerAddress.Http)
                                        definition(auth(", \"profile\": \"api_key_header\""))
                                                .address())
                                .headers())
                .isEqualTo(Map.of("X-API-Key", "s3cret"));
        assertThat(
                        ((ServerAddress.Http)
                                        definition(
                                                        auth(
                                                                ", \"profile\": \"api_key_header\","
                                                                        + " \"headerName\":"
                                                                        + " \"X-Token\""))
                                                .address())
                                .headers())
                .isEqualTo(Map.of("X-Token", "s3cret"));
    }

    @Test
    void headersHoldTextsAndSecrets() {
        secret("default", "creds", "token", "s3cret\n");

        ServerAddress.Sse address =
                (ServerAddress.Sse)
                        definition(
                                        """
                                        "transport": "sse", "endpoint": "http://h/sse",
                                         "headers": [{"name": "X-Team", "value": "blue"},
                                                     {"name": "X-Token", "secretRef": "creds"}]
                                        """)
                                .address();

        assertThat(address.stream().headers())
                .isEqualTo(Map.of("X-Team", "blue", "X-Token", "s3cret"));
    }

    @Test
    void credentialThatWouldSmuggleAHeaderIsRefused() {
        secret("default", "creds", "token", "s3cret\r\nX-Evil: 1");

        Resolution.Refused refusal = refusal(auth(""));

        assertThat(refusal.reason()).isEqualTo("SecretNotUsable");
        assertThat(refusal.message()).doesNotContain("s3cret");
    }

    /** D-06. */
    @Test
    void otherReferencedValuesMakeAnotherSessionKey() {
        secret("default", "creds", "token", "old");
        ServerDefinition before = definition(env("creds"));
        secret("default", "creds", "token", "new");

        ServerDefinition after = definition(env("creds"));

        assertThat(after.key()).isNotEqualTo(before.key());
        assertThat(after.key().toString()).doesNotContain("new");
        assertThat(definition(env("creds")).key()).isEqualTo(after.key());
    }

    @Test
    void definitionShowsNoSecret() {
        secret("default", "creds", "token", "s3cret");

        assertThat(resolver.resolve(Manifests.server("default", "git", env("creds"))).toString())
                .doesNotContain("s3cret");
        assertThat(resolver.resolve(Manifests.server("default", "git", auth(""))).toString())
                .doesNotContain("s3cret");
    }

    @Test
    void manifestThatSlippedThroughIsRefusedAndNotAFailure() {
        assertThat(refusal("\"transport\": \"stdio\"").reason()).isEqualTo("InvalidSpec");
        assertThat(refusal("\"transport\": \"http\", \"endpoint\": \"not a url\"").reason())
                .isEqualTo("InvalidSpec");
    }

    private void configMap(String key, String value) {
        ConfigMap configMap = Manifests.configMap("default", "base", key, value);
        configMaps.put(configMap.key(), configMap);
    }

    private static String envFrom(String sources, String env) {
        return "\"transport\": \"stdio\", \"command\": \"x\", \"env_from\": [%s], \"env\": [%s]"
                .formatted(sources, env);
    }

    private Map<String, String> variables(String spec) {
        return ((ServerAddress.Stdio) definition(spec).address()).env();
    }

    @Test
    void laterSourcesWinOverEarlierOnesAndSingleVariablesOverAll() {
        secret("default", "first", "B", "first");
        configMap("C", "base");
        secret("default", "creds", "B", "secret");

        Map<String, String> variables =
                variables(
                        envFrom(
                                "{\"configMapRef\": {\"name\": \"base\"}}, {\"secretRef\":"
                                        + " {\"name\": \"creds\"}}",
                                "{\"name\": \"C\", \"value\": \"own\"}"));

        assertThat(variables).containsExactlyInAnyOrderEntriesOf(Map.of("B", "secret", "C", "own"));
    }

    @Test
    void keysThatAreNoNamesAreSkippedAndReported() {
        configMap("1st", "x");

        Resolution resolution =
                resolver.resolve(
                        Manifests.server(
                                "default",
                                "git",
                                envFrom("{\"configMapRef\": {\"name\": \"base\"}}", "")));

        assertThat(((Resolution.Resolved) resolution).notes())
                .singleElement()
                .asString()
                .contains("ConfigMap \"base\"", "1st");
        assertThat(
                        variables(
                                envFrom(
                                        "{\"prefix\": \"P_\", \"configMapRef\": {\"name\":"
                                                + " \"base\"}}",
                                        "")))
                .containsOnlyKeys("P_1st");
    }

    @Test
    void missingSourceIsNamedUnlessItIsOptional() {
        Resolution.Refused refusal =
                refusal(envFrom("{\"configMapRef\": {\"name\": \"gone\"}}", ""));

        assertThat(refusal.reason()).isEqualTo("ConfigMapNotFound");
        assertThat(refusal.message()).contains("\"gone\"");
        assertThat(refusal(envFrom("{\"secretRef\": {\"name\": \"gone\"}}", "")).reason())
                .isEqualTo("SecretNotFound");
        assertThat(
                        variables(
                                envFrom(
                                        "{\"secretRef\": {\"name\": \"gone\", \"optional\": true}}",
                                        "")))
                .isEmpty();
    }

    @Test
    void manifestThatThePolicyAllowsNoMoreIsNotRun() {
        Resolution.Refused refusal =
                refusal(
                        "\"transport\": \"stdio\", \"command\": \"a\", \"attach\": {\"container\":"
                                + " \"c\"}");

        assertThat(refusal.reason()).isEqualTo("SandboxPolicyViolated");
        assertThat(refusal.message())
                .contains("spec.attach: Forbidden: the sandbox policy baseline does not allow");
    }

    @Test
    void changedConfigMapMeansAnotherSession() {
        String spec = envFrom("{\"configMapRef\": {\"name\": \"base\"}}", "");
        configMap("A", "1");
        ServerDefinition before = definition(spec);
        configMap("A", "2");

        assertThat(definition(spec).key()).isNotEqualTo(before.key());
    }
}
