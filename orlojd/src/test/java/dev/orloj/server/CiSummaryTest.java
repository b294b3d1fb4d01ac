package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * H-33: what the build machine says of tests that fail only sometimes. The reports are those of
 * Surefire 3.5.6, which was set to try failing tests once more.
 */
class CiSummaryTest {

    private static final Path SUMMARY = Path.of("../.ci/summary").toAbsolutePath().normalize();

    @TempDir private Path folder;

    private record Outcome(int code, List<String> lines) {}

    private void report(String module, String name, String text) throws IOException {
        Path reports = folder.resolve(module).resolve("target/surefire-reports");
        Files.writeString(Files.createDirectories(reports).resolve("TEST-" + name + ".xml"), text);
    }

    private void recorded(String module, String name) throws IOException {
        try (InputStream report =
                CiSummaryTest.class.getResourceAsStream("/ci/TEST-" + name + ".xml")) {
            String text =
                    new String(
                            Objects.requireNonNull(report).readAllBytes(), StandardCharsets.UTF_8);
            report(module, name, text);
        }
    }

    private Outcome summary(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", SUMMARY.toString()));
        command.addAll(List.of(options));
        command.add(folder.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), text.lines().toList());
    }

    @Test
    void testThatNeededASecondTryIsNamedAndCountsAsFailed() throws Exception {
        recorded("api", "x.BeforeAllTest");
        recorded("runtime", "x.FlakyTest");

        Outcome outcome = summary();

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.lines())
                .containsExactly(
                        "Left out:",
                        "  later",
                        "    FlakyTest.isSkipped",
                        "Failed:",
                        "  x.FlakyTest.failsAlways: no",
                        "Passed at the second try only, which is a failure to be mended:",
                        "  x.BeforeAllTest.(before or after all tests): b",
                        "  x.FlakyTest.failsOnce: expected: <1> but was: <0>",
                        "  x.FlakyTest.errsOnce: x",
                        "  x.FlakyTest.parameter(int)[2]: two",
                        "4 passed, 5 failed, 1 skipped");
    }

    @Test
    void onlyTheCountsAreSaidWhenAllPass() throws Exception {
        report("api", "x.A", "<testsuite><testcase name='a' classname='x.A'/></testsuite>");

        assertThat(summary()).isEqualTo(new Outcome(0, List.of("1 passed, 0 failed, 0 skipped")));
    }

    /** Surefire reports every test of a class that was skipped as a whole. */
    @Test
    void whatWasLeftOutIsNamedWithItsReason() throws Exception {
        report("api", "x.A", "<testsuite><testcase name='a' classname='x.A'/></testsuite>");
        for (String name : List.of("B", "C")) {
            report(
                    "orlojd",
                    "x." + name,
                    """
                    <testsuite><testcase name="a" classname="x.%1$s">
                      <skipped message="an acceptance suite: ./mvnw verify -Pclients"/>
                    </testcase><testcase name="b" classname="x.%1$s">
                      <skipped message="an acceptance suite: ./mvnw verify -Pclients"/>
                    </testcase></testsuite>
                    """
                            .formatted(name));
        }
        report(
                "orlojd",
                "x.D",
                """
                <testsuite><testcase name="a" classname="x.D"/><testcase name="b" classname="x.D">
                  <skipped message="Assumption failed ==&gt; no root"/>
                </testcase></testsuite>
                """);

        assertThat(summary())
                .isEqualTo(
                        new Outcome(
                                0,
                                List.of(
                                        "Left out:",
                                        "  an acceptance suite: ./mvnw verify -Pclients",
                                        "    B",
                                        "    C",
                                        "  no root",
                                        "    D.b",
                                        "2 passed, 0 failed, 5 skipped")));
    }

    @Test
    void reportsOfEarlierBuildsDoNotCount() throws Exception {
        report("api", "x.A", "<testsuite><testcase name='a' classname='x.A'/></testsuite>");
        report("api", "x.Old", "<testsuite><testcase name='a' classname='x.Old'/></testsuite>");
        Files.setLastModifiedTime(
                folder.resolve("api/target/surefire-reports/TEST-x.Old.xml"),
                FileTime.from(Instant.parse("2026-01-31T11:59:59Z")));

        assertThat(summary("--since", "2026-01-31T12:00:00Z"))
                .isEqualTo(new Outcome(0, List.of("1 passed, 0 failed, 0 skipped")));
    }

    @Test
    void aBuildWithoutTestsIsNotJudged() throws Exception {
        assertThat(summary("--since", "2026-01-31T12:00:00Z"))
                .isEqualTo(new Outcome(0, List.of("0 passed, 0 failed, 0 skipped")));
    }

    @Test
    void aRunWithoutTestsHasFailed() throws Exception {
        assertThat(summary()).isEqualTo(new Outcome(1, List.of("0 passed, 0 failed, 0 skipped")));
    }
}
