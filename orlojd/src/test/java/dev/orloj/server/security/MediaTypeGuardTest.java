package dev.orloj.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.nio.charset.StandardCharsets;

/** H-04: what writes have to say, so that no form and no script without leave can send them. */
class MediaTypeGuardTest {

    private static MockHttpServletResponse answer(MockHttpServletRequest request) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        boolean isAdmitted = new MediaTypeGuard().admits(request, response);
        assertThat(isAdmitted).isEqualTo(response.getStatus() == 200);
        return response;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    POST    | application/json                       | 200
                    POST    | Application/JSON; charset=utf-8        | 200
                    POST    | application/yaml                       | 200
                    POST    | application/vnd.kubernetes.protobuf    | 200
                    PATCH   | application/merge-patch+json           | 200
                    PATCH   | application/json-patch+json            | 200
                    PATCH   | application/strategic-merge-patch+json | 200
                    PATCH   | application/apply-patch+yaml           | 200
                    POST    | -                                      | 415
                    POST    | ''                                     | 415
                    PUT     | -                                      | 200
                    PATCH   | -                                      | 200
                    PUT     | text/plain                             | 415
                    POST    | text/plain                             | 415
                    POST    | text/plain; application/json           | 415
                    POST    | text/plain, application/json           | 415
                    POST    | text/plain, application/x+json         | 415
                    POST    | multipart/form-data; boundary=x        | 415
                    POST    | application/x-www-form-urlencoded      | 415
                    DELETE  | -                                      | 200
                    GET     | -                                      | 200
                    HEAD    | -                                      | 200
                    OPTIONS | -                                      | 200
                    """)
    void writesNameAMediaTypeThatNoFormHas(String method, String type, int expected)
            throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest(method, "/apis");
        request.addHeader("Accept", "*/*");
        request.addHeader("Origin", "null");
        if (type != null) {
            request.setContentType(type);
        }

        assertThat(answer(request).getStatus()).isEqualTo(expected);
    }

    @Test
    void bodyOfADeletionHasSuchATypeToo() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("DELETE", "/apis");
        request.setContent("{}".getBytes(StandardCharsets.UTF_8));
        request.setContentType("text/plain");

        assertThat(answer(request).getStatus()).isEqualTo(415);
    }

    /** What kubectl exec asks is answered by its endpoint, with the reason. */
    @Test
    void upgradesNeedNone() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/apis");
        request.addHeader("Accept", "*/*");
        request.addHeader("Origin", "null");
        request.addHeader("Upgrade", "SPDY/3.1");

        assertThat(answer(request).getStatus()).isEqualTo(200);
    }

    /** Clients of Kubernetes may leave the type out; a browser never leaves out the Accept. */
    @Test
    void programWithoutAnAcceptNeedsNone() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/apis");
        request.addHeader("Origin", "null");

        assertThat(answer(request).getStatus()).isEqualTo(200);
    }

    /** As the Python client of Kubernetes, 37.0; a browser says where a POST comes from. */
    @Test
    void programThatIsNoBrowserNeedsNone() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/apis");
        request.addHeader("Accept", "application/json");

        assertThat(answer(request).getStatus()).isEqualTo(200);
        request.addHeader("Sec-Fetch-Site", "same-site");
        assertThat(answer(request).getStatus()).isEqualTo(415);
    }

    /** H-04: as curl sends it. */
    @Test
    void clientThatTakesAnythingNamesAType() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/apis");
        request.addHeader("Accept", "*/*");

        assertThat(answer(request).getStatus()).isEqualTo(415);
    }
}
