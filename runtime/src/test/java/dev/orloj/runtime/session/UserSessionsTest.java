package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.oauth.ClientAuthentication;
import dev.orloj.runtime.oauth.OAuthSettings;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.subject.SubjectException;
import dev.orloj.runtime.subject.SubjectIdentifier;
import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.http.ParameterHeaders;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.Supervisor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Sessions that have a token for one user each, which the token of the user is exchanged for. */
@Timeout(60)
class UserSessionsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports =
            new StandardTransports(supervisor, Engines.unused());
    private final SystemScheduler clock = new SystemScheduler();
    private final Recorder listener = new Recorder();
    private final SessionManager manager =
            new SessionManager(
                    transports, listener, clock, () -> 0L, SessionSettings.withVersion("1.2.3"));
    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeHttpServer server =
            FakeHttpServer.start(FakeScript.wellBehaved().sessions().getStream());

    /** Users whose tokens the server refuses, although they were issued for it. */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    private final ServerDefinition crm = server(10);

    /** Remembers the names of all events. */
    private static final class Recorder implements SessionListener {

        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void starting(ResourceKey server, SessionKey key) {
            events.add("starting");
        }

        @Override
        public void attemptFailed(ResourceKey server, FailedAttempt attempt) {
            events.add("attemptFailed");
        }

        @Override
        public void openFailed(ResourceKey server, FailedOpening failure) {
            events.add("openFailed");
        }

        @Override
        public void opened(ResourceKey server, SessionInfo session) {
            events.add("opened");
        }

        @Override
        public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
            events.add("closed");
        }

        @Override
        public void toolsChanged(ResourceKey server) {}
    }

    @BeforeEach
    void serverAsksForTokens() {
        issuer.describeAt(server);
        server.guard(this::examine);
    }

    @AfterEach
    void stop() {
        manager.close();
        transports.close();
        clock.close();
        server.close();
        issuer.close();
        supervisor.close();
    }

    private @Nullable Answer examine(FakeHttpServer.Received request) {
        String user = issuer.scopes(request) == null ? null : issuer.user(request);
        return user == null || refused.contains(user)
                ? new Answer(401, Map.of("WWW-Authenticate", "Bearer"), "")
                : null;
    }

    private ServerDefinition server(int mostSessions) {
        OAuthSettings settings =
                new OAuthSettings(
                        "default/crm",
                        new ClientAuthentication(
                                FakeAuthorizationServer.CLIENT,
                                FakeAuthorizationServer.SECRET,
                                null,
                                null),
                        issuer.issuer(),
                        "",
                        List.of(),
                        "");
        ServerAddress address =
                new ServerAddress.Http(
                        server.endpoint(), Map.of(), settings.withTokenExchange("crm-audience"));
        return Definitions.withIsolation(
                Definitions.withAddress(Definitions.server("crm"), address),
                new Isolation(SessionScope.DETECTED, mostSessions));
    }

    private SubjectToken tokenOf(String user) {
        return token(issuer.issuer(), user, issuer.users().tokenOf(user));
    }

    private static SubjectToken token(String ofIssuer, String user, String value) {
        return new SubjectToken(
                new SubjectIdentifier(ofIssuer, user),
                value,
                Instant.now().plus(Duration.ofHours(1)));
    }

    private JsonNode call(ServerDefinition definition, SubjectToken token)
            throws InterruptedException {
        return call(
                definition,
                RequestingClient.ofUser(token.subject().name(), Optional.of(token)),
                "tools/call");
    }

    private JsonNode call(ServerDefinition definition, RequestingClient client, String method)
            throws InterruptedException {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("name", "echo");
        params.putObject("arguments");
        SessionRequest request =
                new SessionRequest(
                        method,
                        params,
                        TIMEOUT,
                        ProgressListener.NONE,
                        ParameterHeaders.NONE,
                        client);
        return manager.withSession(definition, request, session -> session.call(request));
    }

    private List<String> usersOfCalls() {
        return server.received("tools/call").stream().map(issuer::user).toList();
    }

    /** Returns the tokens that were sent to be exchanged. */
    private List<String> exchanged() {
        return issuer.requests().stream()
                .flatMap(request -> Stream.ofNullable(request.form().get("subject_token")))
                .toList();
    }

    @Test
    void eachUserHasASessionWithATokenForThisUser() throws InterruptedException {
        SubjectToken anna = tokenOf("anna");
        SubjectToken bert = tokenOf("bert");

        call(crm, anna);
        call(crm, bert);
        call(crm, anna);

        assertThat(usersOfCalls()).containsExactly("anna", "bert", "anna");
        List<String> sessions =
                server.received("tools/call").stream()
                        .map(request -> request.headers().getOrDefault("mcp-session-id", ""))
                        .toList();
        assertThat(sessions.get(0)).isNotEmpty().isEqualTo(sessions.get(2));
        assertThat(sessions.get(1)).isNotEmpty().isNotEqualTo(sessions.get(0));
        assertThat(exchanged()).containsExactly(anna.value(), bert.value());
        assertThat(issuer.requests().getFirst().form())
                .containsEntry("audience", "crm-audience")
                .containsEntry("resource", server.endpoint().toString())
                .containsEntry(
                        "subject_token_type", "urn:ietf:params:oauth:token-type:access_token");
    }

    /** Mistake 5: no token that a client sends reaches a server. */
    @Test
    void serverGetsNoTokenThatAUserSent() throws InterruptedException {
        SubjectToken anna = tokenOf("anna");

        call(crm, anna);

        assertThat(server.received())
                .isNotEmpty()
                .noneMatch(request -> request.headers().toString().contains(anna.value()));
    }

    @Test
    void orlojdListsToolsWithATokenOfItsOwn() throws InterruptedException {
        call(crm, tokenOf("anna"));

        call(crm, RequestingClient.NONE, "tools/list");

        assertThat(server.received("tools/list")).isNotEmpty();
        assertThat(server.received("tools/list")).allMatch(list -> "".equals(issuer.user(list)));
        assertThat(usersOfCalls()).containsExactly("anna");
    }

    @Test
    void requestWithoutATokenOfItsUserIsRefused() {
        RequestingClient carl = RequestingClient.ofUser("carl", Optional.empty());

        assertThatThrownBy(() -> call(crm, carl, "tools/call"))
                .isInstanceOf(SubjectException.class)
                .hasMessageContaining("spec.auth.oauth.issuer");
        assertThatThrownBy(() -> call(crm, RequestingClient.NONE, "prompts/get"))
                .isInstanceOf(SubjectException.class);
        assertThat(server.received()).isEmpty();
    }

    @Test
    void tokenOfAUserGoesToItsOwnIssuerOnly() {
        SubjectToken stranger = token("https://elsewhere.example.com", "anna", "a-foreign-token");

        assertThatThrownBy(() -> call(crm, stranger))
                .isInstanceOf(SubjectException.class)
                .hasMessageContaining("https://elsewhere.example.com")
                .hasMessageNotContaining("a-foreign-token");
        assertThat(issuer.requests()).isEmpty();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void expiredTokenIsNotExchanged() {
        SubjectToken old =
                new SubjectToken(
                        new SubjectIdentifier(issuer.issuer(), "anna"),
                        issuer.users().tokenOf("anna"),
                        Instant.now().minusSeconds(1));

        assertThatThrownBy(() -> call(crm, old))
                .isInstanceOf(SubjectException.class)
                .hasMessageContaining("has expired");
        assertThat(issuer.requests()).isEmpty();
    }

    @Test
    void refusedUserIsAskedForSeldomAndAffectsNobodyElse() throws InterruptedException {
        SubjectToken anna = tokenOf("anna");
        issuer.users().forget(anna.value());

        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> call(crm, anna))
                    .isInstanceOf(SubjectException.class)
                    .hasMessageContaining("invalid_grant")
                    .hasMessageNotContaining(anna.value());
        }
        call(crm, tokenOf("bert"));
        call(crm, tokenOf("anna"));

        assertThat(usersOfCalls()).containsExactly("bert", "anna");
        assertThat(exchanged().stream().filter(anna.value()::equals).count())
                .as("requests with the refused token")
                .isLessThan(5);
        assertThat(listener.events).isEmpty();
    }

    @Test
    void serverThatRefusesOneUserServesTheOthersAndSaysNothingAboutItself()
            throws InterruptedException {
        refused.add("anna");
        SubjectToken anna = tokenOf("anna");

        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> call(crm, anna)).isInstanceOf(SubjectException.class);
        }
        call(crm, tokenOf("bert"));
        call(crm, RequestingClient.NONE, "tools/list");

        assertThat(usersOfCalls()).containsExactly("bert");
        assertThat(listener.events).containsExactly("starting", "opened");
        assertThat(manager.restarts(crm.server())).isZero();
        assertThat(server.received().stream().filter(each -> "anna".equals(issuer.user(each))))
                .as("requests with the refused token")
                .hasSizeLessThan(10);
    }

    @Test
    void tokenOfAUserThatComesBackAsTheAnswerIsNotSentToTheServer() {
        issuer.repeatTokens();

        assertThatThrownBy(() -> call(crm, tokenOf("anna")))
                .isInstanceOf(SubjectException.class)
                .hasMessageContaining("spec.auth.oauth.audience");
        assertThat(server.received()).isEmpty();
    }

    /** Who may read the server finds its endpoint in the rest of the message. */
    @Test
    void userLearnsThatTheMetadataCannotBeUsedAndNotWhereTheyAre() {
        issuer.metadata().put("issuer", "https://moved.example.com");

        assertThatExceptionOfType(SubjectException.class)
                .isThrownBy(() -> call(crm, tokenOf("anna")))
                .withMessageContaining("https://moved.example.com")
                .satisfies(
                        refused -> {
                            assertThat(refused.why())
                                    .isEqualTo(
                                            "the metadata of the server or of its authorization"
                                                    + " server cannot be used");
                            assertThat(refused.detail()).contains("https://moved.example.com");
                        });
    }

    @Test
    void nextTokenIsRequestedWithTheLatestTokenOfTheUser() throws InterruptedException {
        SubjectToken first = tokenOf("anna");
        SubjectToken second = tokenOf("anna");
        call(crm, first);
        // Else the stream of the session may be refused, and ask for a token as well.
        await().until(() -> server.listeners() == 1);
        issuer.users().forget(first.value());
        issuer.revokeAll();

        call(crm, second);

        assertThat(exchanged()).containsExactly(first.value(), second.value());
        assertThat(server.received("initialize")).hasSize(1);
    }

    @Test
    void sessionThatReplacesAnotherOneIsForTheSameUser() throws InterruptedException {
        SubjectToken anna = tokenOf("anna");
        call(crm, anna);
        ServerDefinition changed =
                Definitions.withKey(crm, new SessionKey(crm.key().serverUid(), 2, "another"));

        manager.follow(changed);
        call(changed, anna);
        call(crm, tokenOf("bert"));

        assertThat(usersOfCalls()).containsExactly("anna", "anna", "bert");
        assertThat(server.received()).noneMatch(request -> "".equals(issuer.user(request)));
    }

    @Test
    void usersThatTakeTurnsInOneSlotNeverShareASession() throws InterruptedException {
        ServerDefinition narrow = server(2);
        SubjectToken anna = tokenOf("anna");
        SubjectToken bert = tokenOf("bert");

        for (int i = 0; i < 3; i++) {
            call(narrow, anna);
            call(narrow, bert);
        }

        assertThat(usersOfCalls()).containsExactly("anna", "bert", "anna", "bert", "anna", "bert");
        assertThat(server.received("initialize")).hasSize(6);
    }

    @Test
    void clientsOfOneUserThatListenHaveTheirOwnSessions() throws InterruptedException {
        SubjectToken anna = tokenOf("anna");
        call(crm, anna);

        call(crm, listening(anna), "tools/call");

        assertThat(usersOfCalls()).containsExactly("anna", "anna");
        assertThat(exchanged()).containsExactly(anna.value());
        assertThat(server.received("initialize")).hasSize(2);
    }

    private static RequestingClient listening(SubjectToken token) {
        LogListener logs =
                new LogListener() {
                    @Override
                    public Optional<LogLevel> level() {
                        return Optional.of(LogLevel.INFO);
                    }

                    @Override
                    public void logged(ObjectNode params) {}
                };
        return RequestingClient.of(
                ClientCapabilities.NONE, logs, token.subject().name(), Optional.of(token));
    }
}
