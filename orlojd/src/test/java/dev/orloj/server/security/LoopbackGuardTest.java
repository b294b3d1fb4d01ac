package dev.orloj.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class LoopbackGuardTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080, 200",
        "127.1.2.3, 200",
        "localhost:8080, 200",
        "LOCALHOST, 200",
        "[::1]:8080, 200",
        "orloj.localhost:1, 200",
        "orloj, 200",
        "x:8080, 200",
        "2130706433, 403",
        "0x7f000001, 403",
        "10.1, 403",
        "orloj., 403",
        "localhost:x, 403",
        "evil.example:8080, 403",
        "127.0.0.1.evil.example, 403",
        "localhost.evil.example:8080, 403",
    })
    void onlyNamesOfThisMachineAreServed(String host, int expected) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/apis");
        request.addHeader("Host", host);
        MockHttpServletResponse response = new MockHttpServletResponse();

        boolean isAdmitted = new LoopbackGuard().admits(request, response);

        assertThat(response.getStatus()).isEqualTo(expected);
        assertThat(isAdmitted).isEqualTo(expected == 200);
    }
}
