package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Whatever is wrong, the answer is a Status that says what and how to mend it. */
class StatusErrorTest {

    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";

    private final HttpProbe http = RestServer.shared().probe();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /nope                          | 404 | NotFound         | could not find the requested resource
                    /apis/nope.dev/v1              | 404 | NotFound         | could not find the requested resource
                    /apis/nope.dev                 | 404 | NotFound         | could not find the requested resource
                    /apis/orloj.dev/v1/gadgets     | 404 | NotFound         | could not find the requested resource
                    /apis/orloj.dev/v1/tools/a     | 404 | NotFound         | could not find the requested resource
                    /api/v1/namespaces/a/b/c/d     | 404 | NotFound         | could not find the requested resource
                    //apis//orloj.dev              | 404 | NotFound         | could not find the requested resource
                    TOOLS/none                     | 404 | NotFound         | tools.orloj.dev "none" not found
                    TOOLS/none/scale               | 404 | NotFound         | could not find the requested resource
                    TOOLS/none/call                | 405 | MethodNotAllowed | POST
                    TOOLS?limit=abc                | 400 | BadRequest       | query parameter "limit": invalid value "abc"
                    TOOLS?limit=-1                 | 400 | BadRequest       | query parameter "limit": invalid value "-1"
                    TOOLS?resourceVersion=abc      | 400 | BadRequest       | query parameter "resourceVersion": invalid value "abc"
                    TOOLS?resourceVersion=-1       | 400 | BadRequest       | query parameter "resourceVersion": invalid value "-1"
                    TOOLS?resourceVersion=99999999 | 504 | Timeout          | Too large resource version
                    TOOLS?watch=maybe              | 400 | BadRequest       | query parameter "watch": invalid value "maybe"
                    TOOLS?watch=1&timeoutSeconds=x | 400 | BadRequest       | query parameter "timeoutSeconds": invalid value "x"
                    TOOLS?continue=garbage         | 400 | BadRequest       | continue
                    TOOLS?labelSelector=%3D%3D     | 400 | BadRequest       | labelSelector
                    TOOLS?labelSelector=a%20in     | 400 | BadRequest       | labelSelector
                    TOOLS?fieldSelector=spec.z%3D1 | 400 | BadRequest       | field label not supported: spec.z
                    TOOLS?fieldSelector=junk       | 400 | BadRequest       | field selector
                    TOOLS?resourceVersionMatch=Foo | 400 | BadRequest       | query parameter "resourceVersionMatch": invalid value "Foo"
                    TOOLS?resourceVersionMatch=Exact                   | 422 | Invalid    | resourceVersionMatch
                    TOOLS?resourceVersionMatch=Exact&resourceVersion=0 | 422 | Invalid    | resourceVersionMatch
                    TOOLS?resourceVersion=1&continue=x                 | 400 | BadRequest | resourceVersion
                    TOOLS?sendInitialEvents=true                       | 422 | Invalid    | sendInitialEvents: Forbidden
                    TOOLS?watch=1&sendInitialEvents=true               | 422 | Invalid    | sendInitialEvents: Forbidden
                    TOOLS?watch=1&resourceVersionMatch=NotOlderThan    | 422 | Invalid    | resourceVersionMatch: Forbidden
                    /apis/orloj.dev/v1/namespaces/default/mcpservers/none/log      | 404 | NotFound | mcpservers.orloj.dev "none" not found
                    /apis/orloj.dev/v1/namespaces/default/mcpservers/none/sessions | 404 | NotFound | mcpservers.orloj.dev "none" not found
                    """)
    void readsSayWhatIsWrong(String path, int code, String reason, String message) {
        assertStatus(http.get(path.replace("TOOLS", TOOLS)), code, reason, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    POST   | ''                                 | ''                | {nonsense                                 | 400 | BadRequest
                    POST   | ''                                 | ''                | []                                        | 400 | BadRequest
                    POST   | ''                                 | ''                | 'null'                                    | 400 | BadRequest
                    POST   | ''                                 | application/yaml  | '{a: *b}'                                 | 400 | BadRequest
                    POST   | ''                                 | text/plain        | {}                                        | 415 | UnsupportedMediaType
                    POST   | ''                                 | application/vnd.kubernetes.protobuf | x                       | 400 | BadRequest
                    POST   | ''                                 | ''                | {}                                        | 400 | BadRequest
                    POST   | ''                                 | ''                | {"kind": "Tool"}                          | 422 | Invalid
                    POST   | ''                                 | ''                | {"kind": "McpServer"}                     | 400 | BadRequest
                    POST   | ''                                 | ''                | {"kind": "Tool", "apiVersion": "v2"}                      | 400 | BadRequest
                    POST   | ''                                 | ''                | {"kind": "Tool", "metadata": {"namespace": "other"}}      | 400 | BadRequest
                    POST   | ''                                 | ''                | {"kind": "Tool", "metadata": {"resourceVersion": "5"}}    | 400 | BadRequest
                    POST   | ?dryRun=Some                       | ''                | {}                                        | 400 | BadRequest
                    POST   | ?fieldValidation=Foo               | ''                | {}                                        | 400 | BadRequest
                    POST   | ?fieldValidation=Strict            | ''                | {"kind": "Tool", "a": 1}                                  | 400 | BadRequest
                    POST   | /x                                 | ''                | {}                                        | 405 | MethodNotAllowed
                    PUT    | ''                                 | ''                | {}                                        | 405 | MethodNotAllowed
                    PUT    | /x                                 | ''                | {"kind": "Tool", "metadata": {"resourceVersion": "1"}}    | 404 | NotFound
                    PUT    | /x                                 | ''                | {"kind": "Tool", "metadata": {"name": "y"}}               | 404 | NotFound
                    PATCH  | /x                                 | application/merge-patch+json | {}                             | 404 | NotFound
                    PATCH  | /x                                 | application/strategic-merge-patch+json | {}                   | 415 | UnsupportedMediaType
                    PATCH  | /x                                 | application/json-patch+json | {}                              | 400 | BadRequest
                    PATCH  | /x?force=true                      | application/merge-patch+json | {}                             | 422 | Invalid
                    PATCH  | /x?force=true                      | application/apply-patch+yaml | {}                             | 422 | Invalid
                    DELETE | /x                                 | ''                | ''                                        | 404 | NotFound
                    DELETE | /x                                 | application/json  | {"preconditions": {"uid": 5}}             | 400 | BadRequest
                    DELETE | /x                                 | application/json  | {"dryRun": "All"}                         | 400 | BadRequest
                    DELETE | /x                                 | application/json  | {"propagationPolicy": "Never"}            | 422 | Invalid
                    DELETE | /x                                 | application/json  | {"kind": "Tool"}                          | 400 | BadRequest
                    GET    | /x                                 | multipart/form-data | ''                                      | 404 | NotFound
                    BREW   | /x                                 | ''                | ''                                        | 405 | MethodNotAllowed
                    """)
    void writesSayWhatIsWrong(
            String method, String path, String type, String body, int code, String reason) {
        String[] headers = type.isEmpty() ? new String[0] : new String[] {"Content-Type", type};

        assertStatus(http.send(method, TOOLS + path, body, headers), code, reason, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET TOOLS/a%2Fb HTTP/1.1",
                "GET TOOLS/%00 HTTP/1.1",
                "GET TOOLS/%zz HTTP/1.1",
                "GET TOOLS/%ff HTTP/1.1",
                "GET TOOLS?labelSelector=%zz HTTP/1.1",
                "GET TOOLS?labelSelector=%00 HTTP/1.1",
                "GET /a{b}|c\" HTTP/1.1",
                "GET /../../etc/passwd HTTP/1.1",
                "GET nope HTTP/1.1",
                "G@T /healthz HTTP/1.1",
                "GET /healthz HTTP/1.1\r\nContent-Length: abc",
                "GET /healthz HTTP/1.1\r\nHost: y"
            })
    void requestsThatReachNoEndpointGetAStatusToo(String head) throws IOException {
        String answer = raw(head.replace("TOOLS", TOOLS));

        assertThat(answer).startsWith("HTTP/1.1 400").contains("\"kind\":\"Status\"");
        assertThat(http.get("/healthz").text()).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é"})
    void oversizedHeadersAndBodiesAreRefused(String filling) throws IOException {
        assertThat(raw("GET /healthz HTTP/1.1\r\nX: " + filling.repeat(100_000)))
                .startsWith("HTTP/1.1 400")
                .contains("\"kind\":\"Status\"");

        assertStatus(
                http.post(TOOLS, filling.repeat(4 * 1024 * 1024)),
                413,
                "RequestEntityTooLarge",
                "limit");
    }

    private String raw(String head) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", RestServer.shared().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(
                            (head + "\r\nHost: x\r\nConnection: close\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void assertStatus(Answer answer, int code, String reason, String message) {
        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.at("/kind")).isEqualTo("Status");
        assertThat(answer.at("/status")).isEqualTo("Failure");
        assertThat(answer.at("/code")).isEqualTo(String.valueOf(code));
        assertThat(answer.at("/reason")).isEqualTo(reason);
        assertThat(answer.at("/message")).isNotBlank().contains(message);
    }
}
