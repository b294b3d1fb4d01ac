package dev.orloj.server.rest.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScaleSubresourceTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String url = "";

    @BeforeEach
    void createServer() {
        String servers = "/apis/orloj.dev/v1/namespaces/%s/mcpservers";
        String all = servers.formatted(server.freshNamespace());
        Answer created =
                http.post(
                        all,
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"name": "a"},
                         "spec": {"transport": "stdio", "command": "x"}}
                        """);
        assertThat(created.code()).isEqualTo(201);
        url = all + "/a";
    }

    private String replicas() {
        return http.get(url).at("/spec/replicas");
    }

    @Test
    void scaleShowsTheWantedNumberInTheCommonForm() {
        Answer scale = http.get(url + "/scale");

        assertThat(scale.at("/apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(scale.at("/kind")).isEqualTo("Scale");
        assertThat(scale.at("/metadata/uid")).isEqualTo(http.get(url).at("/metadata/uid"));
        assertThat(scale.at("/spec/replicas")).isEqualTo("1");
        assertThat(scale.at("/status/replicas")).isEqualTo("0");
        assertThat(scale.at("/status/selector")).isEqualTo("orloj.dev/mcp-server=a");
    }

    @Test
    void applyOfTheScaleOwnsNothingButTheNumber() {
        String scale =
                "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}, spec: {replicas:"
                        + " %d}}";

        Answer applied = applied("m", scale.formatted(0));
        Answer refused = applied("n", scale.formatted(1));

        assertThat(applied.at("/spec/replicas")).isEqualTo("0");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.at("/message"))
                .isEqualTo(
                        "Apply failed with 1 conflict: conflict with \"m\" with subresource"
                                + " \"scale\": .spec.replicas");
        assertThat(http.get(url).at("/spec/command")).isEqualTo("x");
    }

    private Answer applied(String manager, String config) {
        return http.send(
                "PATCH",
                url + "/scale?force=" + manager.equals("m") + "&fieldManager=" + manager,
                config,
                "Content-Type",
                "application/apply-patch+yaml");
    }

    @Test
    void patchOfTheScaleChangesTheResource() {
        assertThat(http.mergePatch(url + "/scale", "{\"spec\": {\"replicas\": 2}}").code())
                .isEqualTo(200);
        assertThat(replicas()).isEqualTo("2");

        Answer operations =
                http.jsonPatch(
                        url + "/scale",
                        "[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 0}]");
        assertThat(operations.at("/spec/replicas")).isEqualTo("0");
        assertThat(replicas()).isEqualTo("0");
        assertThat(http.get(url).at("/metadata/generation")).isEqualTo("3");
    }

    @Test
    void updateNeedsNoContentTypeAndLeavesOutAZero() {
        String version = http.get(url).at("/metadata/resourceVersion");
        String body =
                """
                {"kind": "Scale", "apiVersion": "autoscaling/v1", "spec": {},
                 "metadata": {"name": "a", "resourceVersion": "%s"}}
                """
                        .formatted(version);

        assertThat(http.put(url + "/scale", body).at("/spec/replicas")).isEqualTo("0");
        assertThat(http.put(url + "/scale", body).code()).isEqualTo(409);
        assertThat(replicas()).isEqualTo("0");
    }

    @Test
    void appliedScaleSetsTheNumberAndNothingElse() {
        String body =
                "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}, spec: {replicas:"
                        + " 3}}";
        String[] type = {"Content-Type", "application/apply-patch+yaml"};

        assertThat(http.send("PATCH", url + "/scale", body, type).code()).isEqualTo(422);
        assertThat(http.send("PATCH", url + "/scale?force=true&fieldManager=m", body, type).code())
                .isEqualTo(200);
        assertThat(replicas()).isEqualTo("3");
        assertThat(http.get(url).at("/spec/command")).isEqualTo("x");
    }

    @Test
    void dryRunChangesNothing() {
        Answer answer = http.mergePatch(url + "/scale?dryRun=All", "{\"spec\": {\"replicas\": 7}}");

        assertThat(answer.at("/spec/replicas")).isEqualTo("7");
        assertThat(replicas()).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "\"2\"", "4294967296", "[]"})
    void otherNumbersAreRefused(String replicas) {
        Answer answer =
                http.mergePatch(
                        url + "/scale", "{\"spec\": {\"replicas\": %s}}".formatted(replicas));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("spec.replicas");
        assertThat(replicas()).isEqualTo("1");
    }

    @Test
    void scalesOfOthersAreRefused() {
        assertThat(http.put(url + "/scale", "{\"kind\": \"McpServer\"}").code()).isEqualTo(400);
        assertThat(http.put(url + "/scale", "{\"metadata\": {\"name\": \"b\"}}").code())
                .isEqualTo(400);
        assertThat(http.put(url + "/scale", "{\"metadata\": {\"uid\": \"b\"}}").code())
                .isEqualTo(409);
        assertThat(http.delete(url + "/scale").code()).isEqualTo(405);
        assertThat(http.get(url + "x/scale").code()).isEqualTo(404);
        assertThat(http.get("/api/v1/namespaces/default/scale").code()).isEqualTo(404);
    }
}
