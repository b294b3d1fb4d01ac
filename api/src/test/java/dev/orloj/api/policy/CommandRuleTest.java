package dev.orloj.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class CommandRuleTest {

    private static boolean allows(String command, List<String> packages, String words) {
        return new CommandRule(command, packages).objection(List.of(words.split(" "))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx server-a",
                "npx -y server-a",
                "npx --yes server-a@1.2.3 --port 80",
                "npx server-a@latest",
                "npx @acme/tools",
                "npx @acme/tools@^2.0.0 -p evil",
                "npx pinned@1.0.0"
            })
    void packageOfTheListIsAllowed(String words) {
        assertThat(allows("npx", List.of("server-a", "@acme/*", "pinned@1.0.0"), words)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx",
                "npx -y",
                "npx evil",
                "npx -p server-a sh",
                "npx --package=server-a sh",
                "npx --package server-a -c id",
                "npx -c id",
                "npx -- server-a",
                "npx --registry=http://evil server-a",
                "npx server-a@npm:evil",
                "npx server-a@https://evil/x.tgz",
                "npx server-a@git+ssh://evil/x",
                "npx server-a@github:evil/x",
                "npx server-a@file:../x",
                "npx server-a@evil/x",
                "npx server-a@evil.tgz",
                "npx evil/server-a",
                "npx ./server-a",
                "npx ../server-a",
                "npx /tmp/server-a",
                "npx server-a.tgz",
                "npx @acme/../evil",
                "npx @acme/a/b",
                "npx @evil/server-a",
                "npx pinned",
                "npx pinned@1.0.1",
                "npx pinned@^1.0.0",
                "npm exec server-a",
                "/usr/bin/npx server-a",
                "./npx server-a"
            })
    void whatIsNotSurelyAPackageOfTheListIsRefused(String words) {
        assertThat(allows("npx", List.of("server-a", "@acme/*", "pinned@1.0.0"), words)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "uvx, uvx mcp-server-time, true",
        "uvx, uvx MCP_server.time==1.0, true",
        "uvx, uvx mcp-server-time@1.0, true",
        "uvx, uvx --from mcp-server-time sh, false",
        "uvx, uvx --with evil mcp-server-time, false",
        "uvx, uvx --index-url http://evil mcp-server-time, false",
        "uvx, uvx mcp-server-time@https://evil/x.whl, false",
        "uvx, uvx git+https://evil/x, false",
        "pipx, pipx run mcp-server-time, true",
        "pipx, pipx run --spec evil mcp-server-time, false",
        "pipx, pipx install mcp-server-time, false",
        "pipx, pipx mcp-server-time, false",
        "bunx, bunx --bun mcp-server-time, true",
        "bunx, bunx -p evil mcp-server-time, false",
        "bunx, bunx --package=evil mcp-server-time, false"
    })
    void eachRunnerHasItsOwnForm(String command, String words, boolean allowed) {
        assertThat(allows(command, List.of("mcp-server-time"), words)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "/opt/mcp/*, /opt/mcp/server, true",
        "/opt/mcp/*, /opt/mcp/a/server, false",
        "/opt/mcp/*, /opt/mcp/.., false",
        "/opt/*/server, /opt/../server, false",
        "/opt/mcp/*, /opt/mcp/../../bin/sh, false",
        "/opt/*, /opt//server, false",
        "*, server, true",
        "*, /bin/sh, false",
        "sh, /bin/sh, false",
        "/bin/sh, sh, false"
    })
    void starOfACommandDoesNotCrossASlashAndDotsAreRefused(
            String command, String words, boolean allowed) {
        assertThat(allows(command, null, words)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "npm_config_registry",
                "NPM_CONFIG_REGISTRY", "UV_INDEX_URL", "PIP_INDEX_URL", "BASH_ENV", "HOME"
            })
    void variableThatChangesTheProgramIsKnown(String name) {
        assertThat(CommandRule.redirects(name)).isTrue();
    }

    @Test
    void variableOfTheServerIsNoDanger() {
        assertThat(List.of("API_KEY", "PYTHONUNBUFFERED", "NODE_ENV", "PATHS"))
                .noneMatch(CommandRule::redirects);
    }

    @Test
    void longPatternsTakeNoLongTime() {
        String text = "a".repeat(1000);

        assertThat(Glob.matches("*a".repeat(100) + "b", text)).isFalse();
    }
}
