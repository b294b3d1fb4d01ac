package dev.orloj.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Platform;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

@DisplayName("issue 20, item 1: files of clients on Linux, macOS and Windows")
class DiscoveredFilesTest {

    private static final Path HOME = Path.of("/h");
    private static final Path PROJECT = Path.of("/p");

    private static Platform platform(Platform.System system, Map<String, String> environment) {
        return new Platform(system, environment, HOME, PROJECT);
    }

    private static List<String> files(ClientProgram client, Platform platform) {
        return client.files(platform).stream().map(Path::toString).toList();
    }

    @Test
    void pathsOfLinux() {
        Platform linux = platform(Platform.System.LINUX, Map.of());

        assertThat(files(ClientProgram.CLAUDE, linux))
                .containsExactly("/h/.config/Claude/claude_desktop_config.json");
        assertThat(files(ClientProgram.CLAUDE_CODE, linux))
                .containsExactly("/p/.mcp.json", "/h/.claude.json");
        assertThat(files(ClientProgram.VSCODE, linux))
                .startsWith("/p/.vscode/mcp.json", "/h/.config/Code/User/mcp.json");
        assertThat(files(ClientProgram.ZED, linux)).contains("/h/.config/zed/settings.json");
        assertThat(files(ClientProgram.GOOSE, linux))
                .containsExactly("/h/.config/goose/config.yaml");
        assertThat(files(ClientProgram.OPENCODE, linux))
                .contains("/p/opencode.json", "/h/.config/opencode/opencode.jsonc");
        assertThat(linux.backups()).hasToString("/h/.local/state/orloj/clients");
    }

    @Test
    void pathsOfMacOs() {
        Platform mac = platform(Platform.System.MACOS, Map.of());
        String support = "/h/Library/Application Support";

        assertThat(files(ClientProgram.CLAUDE, mac))
                .containsExactly(support + "/Claude/claude_desktop_config.json");
        assertThat(files(ClientProgram.VSCODE, mac)).contains(support + "/Code/User/mcp.json");
        assertThat(files(ClientProgram.CLINE, mac))
                .contains(
                        support
                                + "/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json");
        assertThat(files(ClientProgram.ZED, mac)).contains("/h/.config/zed/settings.json");
        assertThat(files(ClientProgram.GOOSE, mac)).containsExactly("/h/.config/goose/config.yaml");
        assertThat(mac.backups()).hasToString(support + "/orloj/clients");
    }

    @Test
    void pathsOfWindows() {
        Platform windows =
                platform(
                        Platform.System.WINDOWS,
                        Map.of(
                                "APPDATA",
                                "/h/AppData/Roaming",
                                "LOCALAPPDATA",
                                "/h/AppData/Local"));
        String roaming = "/h/AppData/Roaming";

        assertThat(files(ClientProgram.CLAUDE, windows))
                .containsExactly(roaming + "/Claude/claude_desktop_config.json");
        assertThat(files(ClientProgram.VSCODE, windows)).contains(roaming + "/Code/User/mcp.json");
        assertThat(files(ClientProgram.ZED, windows)).contains(roaming + "/zed/settings.json");
        assertThat(files(ClientProgram.GOOSE, windows))
                .containsExactly(roaming + "/Block/goose/config/config.yaml");
        assertThat(files(ClientProgram.CURSOR, windows)).contains("/h/.cursor/mcp.json");
        assertThat(windows.backups()).hasToString("/h/AppData/Local/orloj/clients");
    }

    @Test
    void variablesMoveFiles() {
        Platform moved =
                platform(
                        Platform.System.LINUX,
                        Map.of(
                                "CODEX_HOME", "/c",
                                "COPILOT_HOME", "/g",
                                "XDG_CONFIG_HOME", "/x",
                                "CLINE_MCP_SETTINGS_PATH", "/cline.json"));

        assertThat(files(ClientProgram.CODEX, moved)).contains("/c/config.toml");
        assertThat(files(ClientProgram.COPILOT, moved)).contains("/g/mcp-config.json");
        assertThat(files(ClientProgram.CLAUDE, moved))
                .containsExactly("/x/Claude/claude_desktop_config.json");
        assertThat(files(ClientProgram.CLINE, moved)).startsWith("/cline.json");
    }

    @Test
    void everyClientIsRecognizedByItsFiles() {
        for (Platform.System system : Platform.System.values()) {
            Platform platform = platform(system, Map.of());
            for (ClientProgram client : ClientProgram.values()) {
                Path main = client.mainFile(platform);
                assertThat(ClientProgram.reading(main, platform))
                        .as(main.toString())
                        .contains(client);
            }
        }
    }

    @Test
    void filesOfProjectsComeFirstAndLinkedFilesOnce(@TempDir Path root) throws IOException {
        String servers = "{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}";
        Path home = Files.createDirectories(root.resolve("home/.cursor"));
        Path project = Files.createDirectories(root.resolve("project/.cursor"));
        Files.writeString(project.resolve("mcp.json"), servers);
        Files.writeString(root.resolve("project/.mcp.json"), servers);
        Files.createSymbolicLink(home.resolve("mcp.json"), project.resolve("mcp.json"));
        Files.writeString(root.resolve("home/.claude.json"), "{broken");
        Platform platform =
                new Platform(
                        Platform.System.LINUX,
                        Map.of(),
                        root.resolve("home"),
                        root.resolve("project"));

        DiscoveredFiles found = DiscoveredFiles.in(platform, Arrays.asList(ClientProgram.values()));

        assertThat(found.files())
                .extracting(f -> root.relativize(f.path().orElseThrow()).toString())
                .containsExactly("project/.mcp.json", "project/.cursor/mcp.json");
        assertThat(found.problems()).singleElement().asString().contains(".claude.json, line 1");
    }
}
