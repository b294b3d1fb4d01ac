package dev.orloj.server.rest.system;

import static dev.orloj.server.protobuf.ProtobufBytes.envelope;
import static dev.orloj.server.protobuf.ProtobufBytes.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.protobuf.KubernetesProtobuf;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewEndpointTest {

    private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1/";
    private static final String SELF = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    private final HttpProbe http = RestServer.shared().probe();

    @Test
    void everyoneMayDoEverythingAndLearnsWhy() {
        Answer answer =
                http.post(
                        AUTHORIZATION + "selfsubjectaccessreviews",
                        """
                        {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
                         "metadata": {"creationTimestamp": null}, "status": {"allowed": false},
                         "spec": {"resourceAttributes": {"verb": "get", "resource": "tools"}}}
                        """);

        assertThat(answer.code()).isEqualTo(201);
        assertThat(answer.at("/status/allowed")).isEqualTo("true");
        assertThat(answer.at("/status/reason"))
                .contains("does not authorize requests of this port");
        assertThat(answer.at("/spec/resourceAttributes/resource")).isEqualTo("tools");
    }

    @Test
    void typedClientsAskInProtobuf() {
        byte[] question =
                envelope(
                        "authorization.k8s.io/v1",
                        "SelfSubjectAccessReview",
                        message()
                                .with(1, message())
                                .with(2, message().with(1, message().with(5, "tools"))));
        Answer answer =
                http.send(
                        "POST",
                        AUTHORIZATION + "selfsubjectaccessreviews",
                        question,
                        "Content-Type",
                        KubernetesProtobuf.MEDIA_TYPE,
                        "Accept",
                        KubernetesProtobuf.MEDIA_TYPE + ",application/json");

        assertThat(answer.code()).isEqualTo(201);
        assertThat(answer.at("/spec/resourceAttributes/resource")).isEqualTo("tools");
        assertThat(answer.at("/status/allowed")).isEqualTo("true");
    }

    @Test
    void rulesNameEverything() {
        Answer answer =
                http.post(
                        AUTHORIZATION + "selfsubjectrulesreviews",
                        "{\"spec\": {\"namespace\": \"default\"}}");

        assertThat(answer.at("/status/resourceRules/0/verbs")).isEqualTo("[\"*\"]");
        assertThat(answer.at("/status/incomplete")).isEqualTo("false");
    }

    /** H-16: as {@code kubectl --as} sends it, until it is enforced. */
    @ParameterizedTest
    @CsvSource({
        "DELETE, /api/v1/namespaces/default/configmaps/a, Impersonate-User",
        "GET, /apis, impersonate-group",
        "POST, /apis/authentication.k8s.io/v1/selfsubjectreviews, Impersonate-Uid",
        "GET, /api/v1/namespaces, Impersonate-Extra-Scopes",
        "POST, /apis/orloj.dev/v1/namespaces/default/tools/a/call, Impersonate-User",
        "POST, /mcp/default, Impersonate-User",
        "GET, /version, Impersonate-User",
        "GET, /nowhere, Impersonate-User"
    })
    void requestsOnBehalfOfOthersAreRefused(String method, String path, String header) {
        Answer refused = http.send(method, path, "", header, "viewer");

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.at("/reason")).isEqualTo("Forbidden");
        assertThat(refused.at("/message")).contains("impersonation is not supported", "--as");
    }

    @Test
    void whatAnotherManagerShouldDeleteStays() {
        String maps = "/api/v1/namespaces/default/configmaps";
        http.post(maps, "{\"metadata\": {\"name\": \"kept\"}}");

        http.send("DELETE", maps + "/kept", "", "Impersonate-User", "viewer");

        assertThat(http.get(maps + "/kept").code()).isEqualTo(200);
    }

    @Test
    void callerLearnsWhoItIs() {
        assertThat(http.post(SELF, "{}").at("/status/userInfo"))
                .isEqualTo(
                        "{\"username\":\"system:anonymous\","
                                + "\"groups\":[\"system:unauthenticated\"]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "selfsubjectaccessreviews | {\"spec\": {}} | 422",
                "subjectaccessreviews | {\"spec\": {\"nonResourceAttributes\": {}}} | 201",
                "namespaces/a/localsubjectaccessreviews"
                        + " | {\"spec\": {\"resourceAttributes\": {\"namespace\": \"b\"}}} | 422",
                "namespaces/a/localsubjectaccessreviews"
                        + " | {\"spec\": {\"resourceAttributes\": {\"namespace\": \"a\"}}} | 201",
                "selfsubjectrulesreviews | {} | 400",
                "selfsubjectaccessreviews | {\"kind\": \"Tool\"} | 400",
                "selfsubjectaccessreviews | {\"metadata\": 1} | 400",
                "selfsubjectaccessreviews | [] | 400",
                "selfsubjectaccessreviews/x | {} | 404",
                "localsubjectaccessreviews | {} | 404",
                "gadgets | {} | 404",
            })
    void questionsAreChecked(String path, String question, int code) {
        assertThat(http.post(AUTHORIZATION + path, question).code()).isEqualTo(code);
    }

    @Test
    void reviewsCannotBeRead() {
        assertThat(http.get(AUTHORIZATION + "selfsubjectaccessreviews").code()).isEqualTo(405);
    }
}
