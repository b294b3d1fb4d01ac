package dev.orloj.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

@DisplayName("issue 20, item 5: deploy/github-action")
class GithubActionTest {

    private static final Path ACTION = Path.of("../deploy/github-action").toAbsolutePath();
    private static final Pattern INPUT = Pattern.compile("inputs\\.([a-z-]+)");
    private static final Pattern STEP = Pattern.compile("steps\\.([a-z-]+)\\.");

    @TempDir private Path folder;
    private JsonNode action;

    private record Run(int exitCode, String log, String output, String arguments) {}

    @BeforeEach
    void read() throws IOException {
        action = new YAMLMapper().readTree(Files.readString(ACTION.resolve("action.yml")));
    }

    @Test
    void actionIsACompositeWithDocumentedInputs() throws IOException {
        assertThat(action.at("/runs/using").asString()).isEqualTo("composite");
        String readme = Files.readString(ACTION.resolve("README.md"));
        action.path("inputs")
                .properties()
                .forEach(
                        input -> {
                            assertThat(readme).contains("| `" + input.getKey() + "` |");
                            assertThat(input.getValue().path("description").asString())
                                    .isNotEmpty();
                            assertThat(
                                            input.getValue().path("required").booleanValue(false)
                                                    || input.getValue().has("default"))
                                    .isTrue();
                        });
    }

    @Test
    void expressionsNameInputsAndStepsThatExist() throws IOException {
        String text = Files.readString(ACTION.resolve("action.yml"));
        assertThat(INPUT.matcher(text).results().map(GithubActionTest::name))
                .isNotEmpty()
                .allMatch(action.path("inputs")::has);
        List<String> steps =
                action.at("/runs/steps").valueStream().map(s -> s.path("id").asString("")).toList();
        assertThat(STEP.matcher(text).results().map(GithubActionTest::name))
                .isNotEmpty()
                .allMatch(steps::contains);
    }

    private static String name(MatchResult match) {
        return match.group(1);
    }

    @Test
    void inputsReachTheScriptThroughVariablesOnly() {
        action.at("/runs/steps")
                .forEach(
                        step -> {
                            if (step.has("run")) {
                                assertThat(step.path("shell").asString()).isEqualTo("bash");
                                assertThat(step.path("run").asString()).doesNotContain("${{");
                            } else {
                                assertThat(step.path("uses").asString()).contains("@v");
                            }
                        });
    }

    /** Runs the step as a runner does, with a program in place of orlojctl. */
    private Run run(int exitCode, Map<String, String> inputs)
            throws IOException, InterruptedException {
        Path program = folder.resolve("orlojctl");
        Files.writeString(
                program,
                """
                #!/bin/sh
                echo "$@, server $ORLOJCTL_SERVER, token ${ORLOJCTL_API_TOKEN-none}" > %s
                for word; do case $word in sarif=*) echo '{}' > "${word#sarif=}";; esac; done
                exit %d
                """
                        .formatted(folder.resolve("arguments"), exitCode));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> values = new HashMap<>();
        action.path("inputs")
                .properties()
                .forEach(i -> values.put(i.getKey(), i.getValue().path("default").asString("")));
        values.put("orlojctl", program.toString());
        values.putAll(inputs);
        JsonNode step = action.at("/runs/steps/0");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", step.path("run").asString());
        step.path("env")
                .properties()
                .forEach(
                        variable -> {
                            String expression = variable.getValue().asString();
                            String input = expression.replaceAll("\\$\\{\\{ inputs\\.|\\s*}}", "");
                            builder.environment().put(variable.getKey(), value(values, input));
                        });
        Path output = folder.resolve("output");
        builder.environment().put("GITHUB_ACTION_PATH", ACTION.toString());
        builder.environment().put("GITHUB_OUTPUT", output.toString());
        builder.environment().put("RUNNER_TEMP", folder.toString());
        Process process = builder.redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        Path arguments = folder.resolve("arguments");
        return new Run(
                code,
                log,
                Files.exists(output) ? Files.readString(output) : "",
                Files.exists(arguments) ? Files.readString(arguments) : "");
    }

    private static String value(Map<String, String> values, String input) {
        assertThat(values).containsKey(input);
        return values.getOrDefault(input, "");
    }

    @Test
    void findingsFailTheJobAndAreUploaded() throws Exception {
        Run run = run(5, Map.of("path", "my servers/", "server", "https://o", "token", "t"));

        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.arguments())
                .startsWith("check -f my servers/ --namespace default --fail-on error")
                .contains("--timeout 60s --also sarif=")
                .endsWith("server https://o, token t\n");
        assertThat(run.output()).containsPattern("sarif=.*\\.sarif\nexit-code=5\n");
        assertThat(run.log()).doesNotContain("::error::");
    }

    @Test
    void nothingIsStartedOnRequest() throws Exception {
        Run run = run(0, Map.of("path", "a", "server", "https://o", "start", "false"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.arguments()).contains("--no-start").endsWith("token none\n");
        assertThat(run(0, Map.of("path", "a", "start", "maybe")).log()).contains("must be true or");
    }

    @Test
    void checkThatCouldNotRunIsAnErrorOfItsOwn() throws Exception {
        Run run = run(1, Map.of("path", "a", "server", "https://o"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.log()).contains("::error::The servers in a were not all checked");
        assertThat(run.output()).contains("exit-code=1\n");
    }
}
