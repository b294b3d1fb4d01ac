package dev.orloj.server.rest.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Pod;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

class PodEndpointTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String namespace = "";
    private String pods = "";

    @BeforeEach
    void createPods() {
        namespace = server.freshNamespace();
        pods = "/api/v1/namespaces/%s/pods".formatted(namespace);
        create("srv-0", "here");
        create("srv-1", "there");
    }

    private void create(String name, String replica) {
        Pod.Container container = new Pod.Container(Pod.CONTAINER, "x");
        server.client()
                .create(
                        Pod.KIND,
                        Pod.of(
                                ObjectMeta.of(namespace, name)
                                        .withLabels(
                                                Map.of(
                                                        Tool.SERVER_LABEL,
                                                        "srv",
                                                        Pod.REPLICA_LABEL,
                                                        replica)),
                                new Pod.Spec("host", List.of(container)),
                                new Pod.Status(Pod.RUNNING, "", null, List.of(), List.of())));
    }

    private LogBuffer log() {
        return server.sessions().log(new ResourceKey(namespace, "srv"));
    }

    @Test
    void logOfAPodIsThatOfItsServer() {
        log().append("one");
        log().append("two");

        assertThat(http.get(pods + "/srv-0/log").text()).isEqualTo("one\ntwo\n");
        assertThat(http.get(pods + "/srv-0/log?container=stderr&tailLines=1").text())
                .isEqualTo("two\n");
    }

    @Test
    void previousLogNeedsAPreviousProcess() {
        log().append("old");
        assertThat(http.get(pods + "/srv-0/log?previous=true").code()).isEqualTo(400);

        log().startRun();
        assertThat(http.get(pods + "/srv-0/log?previous=true").text()).isEqualTo("old\n");
    }

    @Test
    void logAtAnotherReplicaIsRefusedWithItsName() {
        Answer answer = http.get(pods + "/srv-1/log");

        assertThat(answer.code()).isEqualTo(502);
        assertThat(answer.at("/message")).contains("replica \"there\"", "this is \"here\"");
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThat(http.get(pods + "/nope/log").at("/message"))
                .isEqualTo("pods \"nope\" not found");
        assertThat(http.get(pods + "/srv-0/log?container=app").at("/message"))
                .contains("container app is not valid for pod srv-0: there is only stderr");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec", "attach", "portforward"})
    void podsCannotBeEntered(String way) {
        Answer answer = http.post(pods + "/srv-0/" + way + "?command=sh", "");

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/message")).contains("it has a log, but cannot be entered");
    }

    @Test
    void discoveryReportsTheLog() {
        assertThat(http.get("/api/v1").json().path("resources"))
                .extracting(resource -> resource.path("name").asString())
                .contains("pods", "pods/log", "namespaces/finalize");
    }
}
