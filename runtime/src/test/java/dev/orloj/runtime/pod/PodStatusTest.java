package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

class PodStatusTest {

    private static PodStatus status(String node, String status) {
        return PodStatus.of(
                Json.MAPPER.readTree(
                        "{\"spec\": {\"nodeName\": \"%s\"}, \"status\": %s}"
                                .formatted(node, status)));
    }

    @Test
    void whatAPodWaitsForNamesTheNodeThatDoesNotReportIt() {
        assertThat(status("n1", "{\"phase\": \"Pending\"}").waitsFor())
                .isEqualTo("node \"n1\" does not report it; the node may be down");
        assertThat(status("", "{\"phase\": \"Pending\"}").waitsFor()).contains("scheduler");
        assertThat(status("n1", FakeCluster.waiting("ContainerCreating", "")).waitsFor())
                .isEqualTo("ContainerCreating on node \"n1\"");
        assertThat(status("", FakeCluster.unschedulable("0/3 nodes")).waitsFor())
                .contains("0/3 nodes");
    }

    @Test
    void drainIsTheCauseOfTheSignal() {
        PodStatus drained =
                status(
                        "n1",
                        """
                        {"phase": "Failed", "containerStatuses": [{"name": "server",
                           "state": {"terminated": {"exitCode": 143, "reason": "Error"}}}],
                         "conditions": [{"type": "DisruptionTarget", "status": "True",
                           "reason": "EvictionByEvictionAPI", "message": "evicted"}]}
                        """);

        assertThat(drained.exit().orElseThrow().toString())
                .isEqualTo("signal 15 (SIGTERM) (EvictionByEvictionAPI: evicted)");
    }
}
