package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.oidc.IdentityProvider;
import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RegistryCache;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The official clients of TypeScript and Python find out at the first 401 that an endpoint needs a
 * token and where to get one, get it from a real identity provider, and call a tool with it.
 */
@Tag(AcceptanceSuite.CONFORMANCE)
@AcceptanceSuite(AcceptanceSuite.CONFORMANCE)
class LoginTest {

    private static final String SERVER = "one";
    private static final String TOOL = "who";

    @TempDir private static Path folder;

    private static NodePackages node;
    private static PythonPackages python;
    private static IdentityProvider provider;
    private static OrlojdProcess orlojd;
    private static String endpoint;
    private static Path trusted;

    private enum Agent {
        TYPESCRIPT_OLDER,
        TYPESCRIPT_NEWER,
        PYTHON;

        private List<String> command() throws IOException {
            List<String> command = new ArrayList<>();
            switch (this) {
                case TYPESCRIPT_OLDER ->
                        command.addAll(
                                List.of(
                                        node.node(),
                                        node.script("login-story.mjs").toString(),
                                        "older"));
                case TYPESCRIPT_NEWER ->
                        command.addAll(
                                List.of(
                                        node.node(),
                                        node.script("login-story.mjs").toString(),
                                        "newer"));
                case PYTHON ->
                        command.addAll(
                                List.of(python.python(), node.script("login-story.py").toString()));
            }
            command.addAll(List.of(endpoint, "story", TOOL));
            return command;
        }
    }

    @BeforeAll
    static void everythingIsReady() throws Exception {
        Path home = RegistryCache.folder(AcceptanceSuite.CONFORMANCE);
        node = NodePackages.install(home);
        python = PythonPackages.install(home.resolve("python"));
        provider = IdentityProvider.start(folder);
        Path configuration = folder.resolve("authentication.yaml");
        Files.writeString(configuration, provider.configuration());
        Path data = folder.resolve("data");
        orlojd =
                OrlojdProcess.start(
                        data,
                        "--https-port",
                        "0",
                        "--https-host",
                        "127.0.0.1",
                        "--authentication-config",
                        configuration.toString(),
                        "--mcp-required-scope",
                        IdentityProvider.SCOPE.replace(' ', ','));
        RestClient client = orlojd.client();
        client.create(
                "default",
                "mcpservers",
                TracingServer.in(Files.createDirectory(folder.resolve("server"))).manifest());
        client.post(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                Json.MAPPER.readTree(
                        """
                        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                         "metadata": {"name": "web-calls"},
                         "roleRef": {"kind": "ClusterRole", "name": "caller"},
                         "subjects": [{"kind": "Group", "name": "corp:web"}]}\
                        """));
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () ->
                                client.get(
                                                        RestClient.collection(
                                                                        "default", "mcpservers")
                                                                + "/"
                                                                + SERVER)
                                                .text()
                                                .contains("\"phase\":\"Ready\"")
                                        && Files.readString(OrlojdProcess.log(data))
                                                .contains("Issuer of tokens is reachable"));
        endpoint = httpsUrl(data) + "/mcp/default/mcpservers/" + SERVER;
        trusted = folder.resolve("trusted.pem");
        Files.writeString(
                trusted,
                Files.readString(data.resolve("tls/server-ca.crt"))
                        + Files.readString(provider.authority()));
    }

    private static String httpsUrl(Path data) throws IOException {
        Matcher server =
                Pattern.compile("server: (\\S+)")
                        .matcher(Files.readString(data.resolve("kubeconfig")));
        assertThat(server.find()).isTrue();
        return server.group(1);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (orlojd != null) {
            orlojd.close();
        }
        if (provider != null) {
            provider.close();
        }
    }

    @AfterEach
    void providerNamesTheResource() {
        provider.ignoreResources(false);
    }

    private static JsonNode story(Agent agent) throws Exception {
        Map<String, String> environment =
                Map.of(
                        "NODE_EXTRA_CA_CERTS", trusted.toString(),
                        "SSL_CERT_FILE", trusted.toString());
        return Json.MAPPER.readTree(
                Command.run(folder, Duration.ofMinutes(2), environment, agent.command()));
    }

    @ParameterizedTest
    @EnumSource(Agent.class)
    void clientLogsInAndCalls(Agent agent) throws Exception {
        JsonNode story = story(agent);

        assertThat(story.path("error").asString("")).as(story.toString()).isEmpty();
        assertThat(story.path("result").asString()).matches("[0-9a-f]{16}");
        assertThat(story.path("resource").asString()).isEqualTo(endpoint);
        assertThat(story.path("scope").asString()).isEqualTo(IdentityProvider.SCOPE);
        assertThat(story.path("challenge").asString()).isEqualTo("S256");
    }

    @ParameterizedTest
    @EnumSource(Agent.class)
    @DisplayName("Mistake 15: a client whose tokens are for others gives up")
    void clientWithATokenForOthersGivesUp(Agent agent) throws Exception {
        provider.ignoreResources(true);

        JsonNode story = story(agent);

        assertThat(story.path("error").asString("")).as(story.toString()).isNotEmpty();
        // With and without the token; Python first tries the one revision and then the others.
        assertThat(story.path("refused").asInt()).as(story.toString()).isBetween(2, 4);
    }
}
