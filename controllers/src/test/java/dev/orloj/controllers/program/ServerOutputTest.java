package dev.orloj.controllers.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.workload.LogBuffer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.InstantSource;
import java.util.List;

/** H-28: which line of a server's log a condition quotes, and who has time for a download. */
class ServerOutputTest {

    private final LogBuffer log = new LogBuffer(InstantSource.system());

    private String quoted(String... lines) {
        List.of(lines).forEach(log::append);
        return ServerOutput.of(log.tail(LogBuffer.CAPACITY));
    }

    @Test
    void errorOfNpmIsTheLineThatSaysWhy() {
        assertThat(
                        quoted(
                                "npm error code E404",
                                "npm error 404 Not Found - GET https://registry.npmjs.org/x - Not"
                                        + " found",
                                "npm error 404",
                                "npm error A complete log of this run can be found in:"
                                        + " /root/.npm/x.log"))
                .isEqualTo(
                        "; it wrote: npm error 404 Not Found - GET https://registry.npmjs.org/x -"
                                + " Not found");
    }

    @Test
    void whatIsNoMessageOnStdoutIsReportedAsSuchAndEscaped() {
        assertThat(quoted("[stdout, skipped] Listening \u001b[1mnow (no JSON)", "Terminated"))
                .isEqualTo(
                        "; it wrote to stdout what is no MCP message (logs belong on stderr):"
                                + " Listening \\u001b[1mnow (no JSON)");
    }

    @Test
    void otherwiseItIsTheLastLine() {
        assertThat(quoted("Traceback", "ModuleNotFoundError: No module named 'x'"))
                .isEqualTo("; it last wrote: ModuleNotFoundError: No module named 'x'");
        assertThat(ServerOutput.of(List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"npx -y x", "/usr/bin/uvx x", "npm exec x", "uv tool run x"})
    void runnersOfPackagesAreKnown(String command) {
        assertThat(PackageRunner.runs(List.of(command.split(" ")))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"node server.js", "npm", "npm start", "my-npx"})
    void otherProgramsAreNot(String command) {
        assertThat(PackageRunner.runs(List.of(command.split(" ")))).isFalse();
    }
}
