package dev.orloj.server.rest.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Iterator;
import java.util.stream.Stream;

@Timeout(60)
class McpServerEndpointTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private ResourceKey key = new ResourceKey("", "");
    private String path = "";

    @BeforeEach
    void oneServer() {
        key = new ResourceKey(server.freshNamespace(), "srv");
        String servers = "/apis/orloj.dev/v1/namespaces/%s/mcpservers".formatted(key.namespace());
        http.post(
                servers,
                """
                {"metadata": {"name": "srv"}, "spec": {"transport": "stdio", "command": "x"}}\
                """);
        path = servers + "/srv";
    }

    private LogBuffer log() {
        return server.sessions().log(key);
    }

    @Test
    void lastLinesAreShown() {
        log().append("one");
        log().append("two");
        log().append("three");

        assertThat(http.get(path + "/log").text()).isEqualTo("one\ntwo\nthree\n");
        assertThat(http.get(path + "/log?tailLines=2").text()).isEqualTo("two\nthree\n");
        assertThat(http.get(path + "/log?tailLines=0").text()).isEmpty();
        assertThat(http.get(path + "/log").header("Content-Type")).startsWith("text/plain");
    }

    @Test
    void timesAreShownOnDemand() {
        log().append("one");

        assertThat(http.get(path + "/log?timestamps").text())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\S+Z one\n");
    }

    @Test
    void oldLinesAndAllBeyondALimitAreLeftOut() {
        log().append("one");
        log().append("two");

        assertThat(http.get(path + "/log?limitBytes=5").text()).isEqualTo("one\nt");
        assertThat(http.get(path + "/log?sinceSeconds=600").text()).isEqualTo("one\ntwo\n");
        assertThat(http.get(path + "/log?sinceTime=2126-01-01T00:00:00Z").text()).isEmpty();
        assertThat(http.get(path + "/log?follow=true&limitBytes=3").text()).isEqualTo("one");
    }

    @Test
    void runBeforeIsShownOnDemand() {
        log().append("old 1");
        log().append("old 2");
        log().startRun();
        log().append("new");

        assertThat(http.get(path + "/log?previous=true&tailLines=1").text()).isEqualTo("old 2\n");
        assertThat(http.get(path + "/log").text()).isEqualTo("new\n");
    }

    @Test
    void followedLogGoesOn() {
        log().append("one");
        try (Stream<String> body = http.open(path + "/log?follow=true").body()) {
            Iterator<String> lines = body.iterator();
            assertThat(lines.next()).isEqualTo("one");
            log().append("two");
            assertThat(lines.next()).isEqualTo("two");
        }
    }

    @Test
    void everyRestartIsStoredAsAnotherAnnotation() {
        Answer first = http.post(path + "/restart", "");
        Answer second = http.post(path + "/restart", "");

        assertThat(first.code()).isEqualTo(200);
        assertThat(second.at("/metadata/annotations/orloj.dev~1restartedAt"))
                .isNotEmpty()
                .isNotEqualTo(first.at("/metadata/annotations/orloj.dev~1restartedAt"));
        assertThat(second.at("/metadata/generation")).isEqualTo("1");
        assertThat(http.get(path).at("/metadata/annotations/orloj.dev~1restartedAt"))
                .isEqualTo(second.at("/metadata/annotations/orloj.dev~1restartedAt"));
    }

    /** H-24. */
    @Test
    void misspelledExcludeOfTheToolFilterIsRefusedInPatchesToo() {
        Answer patched =
                http.send(
                        "PATCH",
                        path,
                        "{\"spec\": {\"tool_filter\": {\"exlude\": [\"rm\"], \"x\": 1}}}",
                        "Content-Type",
                        "application/merge-patch+json");

        assertThat(patched.code()).isEqualTo(422);
        assertThat(patched.at("/message"))
                .contains(
                        "spec.tool_filter.exlude: Forbidden: unknown field; did you mean"
                                + " \"exclude\"?",
                        "spec.tool_filter.x: Forbidden: unknown field; the fields of"
                                + " spec.tool_filter are exclude, include");
        assertThat(http.get(path).json().path("spec").has("tool_filter")).isFalse();
    }

    @Test
    void restartOfNothingIsNotFoundAndOneForTryIsNotStored() {
        assertThat(http.post(path + "-2/restart", "").code()).isEqualTo(404);

        assertThat(http.post(path + "/restart?dryRun=All", "").code()).isEqualTo(200);

        assertThat(http.get(path).json().at("/metadata/annotations").isMissingNode()).isTrue();
    }

    @Test
    void badParametersAreRefused() {
        assertThat(http.get(path + "/log?tailLines=x").code()).isEqualTo(400);
        assertThat(http.get(path + "/log?follow=x").code()).isEqualTo(400);
        assertThat(http.get(path + "/log?sinceTime=x").code()).isEqualTo(400);
        assertThat(http.get(path + "/log?sinceSeconds=0").code()).isEqualTo(400);
        assertThat(http.get(path + "/log?limitBytes=0").code()).isEqualTo(400);
        assertThat(http.get(path + "/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z").code())
                .isEqualTo(400);
    }

    @Test
    void sessionsAreListed() throws InterruptedException {
        assertThat(http.get(path + "/sessions").at("/items")).isEqualTo("[]");
        open();

        Answer sessions = http.get(path + "/sessions");

        assertThat(sessions.at("/items/0/state")).isEqualTo("Ready");
        assertThat(sessions.at("/items/0/generation")).isEqualTo("3");
        assertThat(sessions.at("/items/0/pid")).isEqualTo("4711");
        assertThat(sessions.at("/items/0/protocolVersion")).isEqualTo("2025-11-25");
        assertThat(sessions.at("/items/0/server")).isEqualTo("srv");
        assertThat(sessions.at("/items/0/restarts")).isEqualTo("0");
        assertThat(sessions.at("/items/0/replica")).isEqualTo("here");
    }

    @Test
    void sessionsOfANamespaceAreThoseOfItsServers() throws InterruptedException {
        String all = "/apis/orloj.dev/v1/namespaces/%s/sessions".formatted(key.namespace());
        assertThat(http.get(all).at("/items")).isEqualTo("[]");
        open();

        assertThat(http.get(all).at("/items/0/id")).isEqualTo(key + "#1");
        assertThat(http.get("/apis/orloj.dev/v1/sessions").text()).contains(key + "#1");
    }

    private void open() throws InterruptedException {
        TestSessions.sessionFor(server.sessions(), Definitions.edited(RestServer.scripted(key), 3));
    }
}
