package dev.orloj.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Issue 21, item 2: orlojctl status names the servers that have held definitions")
class HeldSummaryTest extends CommandTest {

    private void put(String namespace, String name, String approved) {
        orlojd.resources()
                .put(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"name": "%s", "namespace": "%s"},
                         "spec": {"transport": "http", "endpoint": "https://mcp.example.com"},
                         "status": {"phase": "Ready", "observedGeneration": 1, "conditions": [
                           {"type": "ToolsApproved", "status": "%s", "reason": "Quarantined",
                            "message": "m", "lastTransitionTime": "2025-12-31T22:00:00Z",
                            "observedGeneration": 1}]}}
                        """
                                .formatted(name, namespace, approved));
    }

    private static String definition(String name) {
        return "{\"name\": \"%s\"}".formatted(name);
    }

    @Test
    void numberServersAndCommandAreShownForEachNamespace() {
        put("default", "git", "False");
        put("default", "mail", "False");
        put("default", "well", "True");
        put("team", "jira", "False");
        orlojd.ledger("git").hold("log", definition("log")).hold("push", definition("push"));
        orlojd.ledger("mail").hold("send", definition("send")).reject("send");
        orlojd.ledger("jira").hold("list", definition("list"));

        CommandLineRun own = ctl("status");
        CommandLineRun all = ctl("status", "-A");

        assertThat(own.exitCode()).as(own.err()).isZero();
        assertThat(own.out())
                .endsWith(
                        """
                        Held:        3 definitions of git, mail, of which 2 wait for approval; list them with: orlojctl tools pending -n default
                        """)
                .doesNotContain("jira");
        assertThat(all.out())
                .endsWith(
                        """
                        Held:        3 definitions of git, mail, of which 2 wait for approval; list them with: orlojctl tools pending -n default
                        Held:        1 definition of jira, of which 1 waits for approval; list them with: orlojctl tools pending -n team
                        """);
        assertThat(orlojd.requests()).noneMatch(request -> request.contains("well/approval"));
    }

    @Test
    void noLineIsShownIfNothingIsHeldAnyMore() {
        put("default", "git", "False");
        orlojd.ledger("git");

        assertThat(ctl("status").out()).doesNotContain("Held:").contains("1 Ready");
    }

    @Test
    void noLineIsShownToUsersWhoMayNotReadIt() {
        put("default", "git", "False");
        orlojd.ledger("git").hold("log", definition("log")).deny();

        CommandLineRun run = ctl("status");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).doesNotContain("Held:").contains("1 Ready");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void onlyTheFirstServersAreNamedAndAsked() {
        for (int i = 0; i < 101; i++) {
            String name = "s%03d".formatted(i);
            put("default", name, "False");
            orlojd.ledger(name).hold("log", definition("log"));
        }

        assertThat(ctl("status").out())
                .contains(
                        "Held:        at least 100 definitions of s000, s001, s002, s003, s004 and"
                                + " 95 more, of which 100 wait for approval; ");
    }
}
