package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Servers that take access tokens, from the manifest to the call. */
class OAuthServersTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String WRONG = "wr0ng-client-secret";

    private static RunningOrlojd orlojd;

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeHttpServer server = FakeHttpServer.start(FakeScript.wellBehaved());

    @BeforeAll
    static void startOrlojd() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stopOrlojd() {
        orlojd.close();
    }

    @BeforeEach
    void serverAsksForTokens() {
        issuer.describeAt(server);
        server.guard(
                request ->
                        issuer.scopes(request) == null
                                ? new Answer(401, Map.of("WWW-Authenticate", "Bearer"), "")
                                : null);
    }

    @AfterEach
    void stop() {
        server.close();
        issuer.close();
    }

    /** Mistake 5: a server sees the token that was issued for it, and none that a client sends. */
    @Test
    void callsReachTheServerWithATokenOfItsAuthorizationServer() {
        apply("crm", FakeAuthorizationServer.SECRET);
        orlojd.awaitReady("default", "crm");

        orlojd.client().call("default", "crm--echo", "{}").expect(200);

        List<FakeHttpServer.Received> calls = server.received("tools/call");
        assertThat(calls).hasSize(1);
        assertThat(issuer.scopes(calls.getFirst())).isNotNull();
        assertThat(server.received())
                .allSatisfy(
                        request ->
                                assertThat(request.headers().getOrDefault("authorization", ""))
                                        .matches("|Bearer token-.*"));
        assertThat(issuer.requests()).hasSize(1);
    }

    @Test
    void aWrongSecretIsAConditionWithARemedyAndNoSecret() {
        apply("billing", WRONG);

        JsonNode connected = awaitReason("billing", "OAuthTokenFailed");
        assertThat(connected.path("message").asString())
                .contains(issuer.issuer(), "invalid_client", "clientSecretRef");
        int requests = issuer.requests().size();
        assertThat(requests).isLessThan(10);

        // The status is stored before the event.
        String events =
                await().atMost(TIMEOUT)
                        .until(OAuthServersTest::events, text -> text.contains("OAuthTokenFailed"));
        assertThat(events + orlojd.server("default", "billing")).doesNotContain(WRONG);

        orlojd.client()
                .patch(
                        RestClient.collection("default", "secrets") + "/billing",
                        "{\"spec\": {\"stringData\": {\"value\": \"%s\"}}}"
                                .formatted(FakeAuthorizationServer.SECRET))
                .expect(200);
        orlojd.awaitReady("default", "billing");
    }

    private static String events() {
        return orlojd.client().get("/api/v1/namespaces/default/events").expect(200).text();
    }

    private static JsonNode awaitReason(String name, String reason) {
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                orlojd.awaitCondition("default", name, "Connected", "False")
                                        .path("reason")
                                        .asString()
                                        .equals(reason));
        return orlojd.awaitCondition("default", name, "Connected", "False");
    }

    private void apply(String name, String secret) {
        orlojd.client()
                .create(
                        "default",
                        "secrets",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Secret
                        metadata: {name: %s}
                        spec: {stringData: {value: "%s"}}
                        """
                                .formatted(name, secret));
        orlojd.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.http(
                                name,
                                server.endpoint(),
                                "auth: {oauth: {clientId: \"%s\", clientSecretRef: %s, issuer: \"%s\"}}"
                                        .formatted(
                                                FakeAuthorizationServer.CLIENT,
                                                name,
                                                issuer.issuer())));
    }
}
