package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.testing.NeedsPromtool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** H-29: Prometheus takes the alert rules, and each fires when it should and at no other time. */
@NeedsPromtool
class AlertRuleUnitTest {

    private static final Path FOLDER = Path.of("..", "deploy", "prometheus");
    private static final String RULES = "orloj.rules.yaml";
    private static final String TESTS = "orloj.rules.test.yaml";

    @TempDir Path folder;

    @Test
    void prometheusTakesTheRules() throws Exception {
        promtool("check", "rules", RULES);
    }

    @Test
    void eachAlertFiresWhenItShould() throws Exception {
        promtool("test", "rules", TESTS);
    }

    @Test
    void eachAlertIsSeenToFireAndNotToFire() throws IOException {
        String tests = Files.readString(FOLDER.resolve(TESTS));
        List<String> alerts = found("- alert: (\\w+)", Files.readString(FOLDER.resolve(RULES)));

        assertThat(alerts).isNotEmpty();
        assertThat(found("alertname: (\\w+)\\n +eval_time: \\w+\\n +exp_alerts:\\n", tests))
                .containsAll(alerts);
        assertThat(found("alertname: (\\w+)\\n +eval_time: \\w+\\n +exp_alerts: \\[\\]\\n", tests))
                .containsAll(alerts);
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private void promtool(String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output.log");
        Process promtool =
                new ProcessBuilder(
                                Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList())
                        .directory(FOLDER.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            promtool.destroyForcibly();
        }
        assertThat(promtool.exitValue()).as(Files.readString(output)).isZero();
    }
}
