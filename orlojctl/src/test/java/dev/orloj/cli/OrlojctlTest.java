package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

class OrlojctlTest extends CommandTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gte tools | unknown command \"gte\"; did you mean \"get\"?",
                "frobnicate | unknown command \"frobnicate\"",
                "get tools --nmaespace x | unknown option \"--nmaespace\"; did you mean"
                        + " \"--namespace\"?",
                "get tools --out yaml | unknown option \"--out\"; did you mean \"--output\"?",
                "call add a=1 | unexpected argument \"a=1\"; did you mean \"--arg a=1\"?",
                "get toolz | unknown kind \"toolz\"; did you mean \"tools\"?",
                "suspend github | unknown kind \"github\"; for an McpServer of this name, write"
                        + " mcp/github; orlojctl api-resources lists the kinds",
                "suspend | suspend needs KIND/NAME..., such as mcp/github, or -f FILE",
                "edit | edit needs KIND/NAME..., such as mcp/github",
                "get elephants x | unknown kind \"elephants\"; known are namespaces (ns)",
                "get | get needs KIND or KIND/NAME, such as tools or mcp/github; orlojctl"
                        + " api-resources",
                "get tools -o xml | unknown output format \"xml\"; one of table, wide, yaml, json,"
                        + " name",
                "get tool x -l a=b | a selector and a name exclude each other",
                "get tool/x/y | \"tool/x/y\" is not of the form KIND/NAME",
                "get tools -n | --namespace needs NAME",
                "apply | apply needs -f FILE",
                "wait mcp/x | wait needs --for GOAL, such as --for condition=Ready",
                "wait mcp/x --for nothing | --for \"nothing\": expected condition=Ready",
                "create | create needs a command:",
                "apply server.yaml | unexpected argument \"server.yaml\"; did you mean \"-f"
                        + " server.yaml\"?",
                "create secret | create secret needs NAME",
                "mcp lst | unknown command \"lst\"; did you mean \"list\"? To serve an McpServer of"
                        + " this name: orlojctl mcp serve lst",
                "create secert x | unknown command \"secert\"; did you mean \"secret\"?",
                "get mcp --server nowhere | \"nowhere\", from --server, is no URL",
                "get mcp --server http://h:99999 | \"http://h:99999\", from --server, is no URL",
                "get mcp --server http://a:pw@h | the URL from --server names a user",
                "get mcp --request-timeout soon | \"soon\" is no duration such as 30s or 5m",
                "get mcp --server http://example.com --api-token t | a token is not sent to"
                        + " http://example.com",
            })
    void wrongUsageIsExplained(String line, String expected) {
        CommandLineRun run = ctl(line.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("orlojctl: " + expected).contains("\nSee 'orlojctl");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "admin | backup, restore, keys, rotate-keys",
                "auth | login, logout, status",
                "client | restore",
                "config | current-context, get-contexts, use-context, set-context, set-cluster,"
                        + " set-credentials, delete-context, import, view",
                "create | secret, namespace, token",
                "rollout | status, history",
                "token | list, revoke",
                "tools | history, diff, blame, at, verify, checkpoint, pending, approve, reject,"
                        + " pin"
            })
    void groupAloneListsItsCommandsWithALineEach(String group, String commands) {
        CommandLineRun run = ctl(group);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        List<String> lines = run.err().lines().toList();
        assertThat(lines).startsWith("orlojctl: " + group + " needs a command:");
        assertThat(lines.stream().filter(line -> line.startsWith("  ")))
                .allSatisfy(line -> assertThat(line).matches("  [a-z-]+ {2,}[A-Z].*\\."))
                .extracting(line -> line.strip().split(" ", 2)[0])
                .containsExactly(commands.split(", "));
        assertThat(lines).endsWith("See 'orlojctl " + group + " --help'.");
    }

    @Test
    void everyCommandHasHelpWithExamples() {
        for (Verb verb : Verb.ALL) {
            CommandLineRun run = ctl(verb.name(), "--help");

            assertThat(run.exitCode()).as(verb.name()).isZero();
            assertThat(run.out()).startsWith("Usage: orlojctl " + verb.name());
            if (!List.of("train", "__complete").contains(verb.name())) {
                assertThat(run.out()).contains("\nExamples:\n  ", "orlojctl " + verb.name());
            }
        }
    }

    @Test
    void helpListsTheCommandsWithoutTheHiddenOne() {
        CommandLineRun run = ctl("--help");

        assertThat(run.out())
                .contains("  apply ", "  call ", "Start with:")
                .doesNotContain("train");
        assertThat(ctl().exitCode()).isEqualTo(2);
    }

    @Test
    void globalOptionsMayStandBeforeTheCommand() {
        assertThat(ctl("-n", "other", "get", "mcp").err()).contains("in other namespace");
    }

    @Test
    void unreachableServerSaysWhichAndWhatToDo() {
        CommandLineRun run =
                CommandLineRun.of(
                        clock, Map.of("ORLOJ_SERVER", "http://127.0.0.1:9/"), "", "get", "mcp");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo(
                        "orlojctl: cannot reach the server at http://127.0.0.1:9 (ORLOJ_SERVER):"
                                + " connection refused; is orlojd running? Start it with"
                                + " \"bin/orlojd\", or name another server with --server or"
                                + " ORLOJCTL_SERVER\n");
    }

    @Test
    void optionWinsOverVariables() {
        CommandLineRun run =
                CommandLineRun.of(
                        clock,
                        Map.of("ORLOJCTL_SERVER", "http://127.0.0.1:9"),
                        "",
                        "get",
                        "ns",
                        "-s",
                        orlojd.url(),
                        "-o",
                        "name");

        assertThat(run.out()).isEqualTo("namespace/default\n");
    }

    @Test
    void tokenIsSentToThisMachine() {
        ctl("get", "mcp", "--api-token", "t0ken");
        CommandLineRun.of(
                clock,
                Map.of("ORLOJ_SERVER", orlojd.url(), "ORLOJ_API_TOKEN", "other"),
                "",
                "get",
                "mcp");

        assertThat(orlojd.authorizations()).containsExactly("Bearer t0ken", "Bearer other");
    }

    @Test
    void otherWebServerIsRecognised() {
        CommandLineRun run = ctl("health", "-s", orlojd.url() + "/page?x=");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("answered 404 to GET /page", "not as orlojd would");
    }

    @Test
    void versionAndHealthAskTheServer() {
        assertThat(ctl("version").out()).isEqualTo("Client: unreleased\nServer: v1.2.3\n");
        assertThat(ctl("health").out()).isEqualTo("ok (" + orlojd.url() + ")\n");
        assertThat(ctl("version", "--client", "-s", "http://127.0.0.1:9").exitCode()).isZero();
    }

    @Test
    void secretIsMadeFromLiterals() {
        CommandLineRun run =
                ctl("create", "secret", "key", "--from-literal", "value=a=b", "--type", "Token");

        assertThat(run.out()).isEqualTo("secret.orloj.dev/key created\n");
        Secret secret =
                orlojd.resources().store().get(Secret.KIND, new ResourceKey("default", "key"));
        assertThat(secret.spec().data()).containsEntry("value", "YT1i");
        assertThat(secret.spec().type()).isEqualTo("Token");
        assertThat(ctl("create", "secret", "key", "--from-literal", "a=b").err())
                .isEqualTo("orlojctl: secrets.orloj.dev \"key\" already exists\n");
    }

    @Test
    void trainingGoesThroughTheUsualCommandsWithoutAServer() {
        CommandLineRun run = ctl("train", "-s", "http://127.0.0.1:9");

        assertThat(run).isEqualTo(new CommandLineRun(0, "", ""));
        assertThat(orlojd.requests()).isEmpty();
    }
}
