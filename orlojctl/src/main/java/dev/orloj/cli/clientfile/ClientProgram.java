package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** An MCP client whose configuration files are known. The order is that of the discovery. */
public enum ClientProgram {
    CLAUDE(
            "claude",
            Notation.PLAIN,
            Way.PROGRAM,
            "mcpServers",
            p -> List.of(p.support().resolve("Claude/claude_desktop_config.json"))),
    CLAUDE_CODE(
            "claude-code",
            Notation.BRACES,
            Way.TYPED_URL,
            "mcpServers",
            p -> List.of(p.project().resolve(".mcp.json"), p.home().resolve(".claude.json"))),
    CURSOR("cursor", Notation.BRACES, Way.URL, "mcpServers", p -> both(p, ".cursor/mcp.json")),
    VSCODE(
            "vscode",
            Notation.BRACES,
            Way.TYPED_URL,
            "servers",
            p ->
                    List.of(
                            p.project().resolve(".vscode/mcp.json"),
                            p.support().resolve("Code/User/mcp.json"),
                            p.support().resolve("Code - Insiders/User/mcp.json"),
                            p.home().resolve(".vscode-server/data/User/mcp.json"),
                            p.support().resolve("Code/User/settings.json"))),
    WINDSURF(
            "windsurf",
            Notation.BRACES,
            Way.SERVER_URL,
            "mcpServers",
            p ->
                    List.of(
                            p.home().resolve(".codeium/windsurf/mcp_config.json"),
                            p.home().resolve(".codeium/mcp_config.json"))),
    ZED(
            "zed",
            Notation.PLAIN,
            Way.URL,
            "context_servers",
            p ->
                    List.of(
                            p.project().resolve(".zed/settings.json"),
                            p.config().resolve("zed/settings.json"))),
    CODEX(
            "codex",
            Notation.CODEX,
            Way.URL,
            "mcp_servers",
            p ->
                    List.of(
                            p.project().resolve(".codex/config.toml"),
                            p.folder("CODEX_HOME", ".codex").resolve("config.toml"))),
    GEMINI(
            "gemini",
            Notation.GEMINI,
            Way.HTTP_URL,
            "mcpServers",
            p -> both(p, ".gemini/settings.json")),
    ANTIGRAVITY(
            "antigravity",
            Notation.BRACES,
            Way.SERVER_URL,
            "mcpServers",
            p -> List.of(p.home().resolve(".gemini/antigravity/mcp_config.json"))),
    COPILOT(
            "copilot",
            Notation.BRACES,
            Way.COPILOT,
            "mcpServers",
            p ->
                    List.of(
                            p.project().resolve(".mcp.json"),
                            p.folder("COPILOT_HOME", ".copilot").resolve("mcp-config.json"))),
    CLINE("cline", Notation.PLAIN_SECONDS, Way.CLINE, "mcpServers", ClientProgram::clineFiles),
    ROO(
            "roo",
            Notation.BRACES_SECONDS,
            Way.STREAMABLE,
            "mcpServers",
            p ->
                    List.of(
                            p.project().resolve(".roo/mcp.json"),
                            extension(p, "rooveterinaryinc.roo-cline/settings/mcp_settings.json"))),
    CONTINUE(
            "continue",
            Notation.CONTINUE,
            Way.STREAMABLE,
            "mcpServers",
            p ->
                    List.of(
                            p.project().resolve(".continue/mcpServers"),
                            p.home().resolve(".continue/config.yaml"),
                            p.home().resolve(".continue/mcpServers"))),
    GOOSE(
            "goose",
            Notation.PLAIN_SECONDS,
            Way.GOOSE,
            "extensions",
            p ->
                    List.of(
                            p.system() == Platform.System.WINDOWS
                                    ? p.roaming().resolve("Block/goose/config/config.yaml")
                                    : p.config().resolve("goose/config.yaml"))),
    LM_STUDIO(
            "lm-studio",
            Notation.PLAIN,
            Way.URL,
            "mcpServers",
            p -> List.of(p.home().resolve(".lmstudio/mcp.json"))),
    OPENCODE("opencode", Notation.OPENCODE, Way.REMOTE, "mcp", ClientProgram::openCodeFiles),
    JETBRAINS(
            "jetbrains",
            Notation.PLAIN,
            Way.PROGRAM,
            "mcpServers",
            p -> both(p, ".junie/mcp/mcp.json")),
    KIRO("kiro", Notation.BRACES, Way.URL, "mcpServers", p -> both(p, ".kiro/settings/mcp.json")),
    AMAZON_Q(
            "amazon-q",
            Notation.BRACES,
            Way.TYPED_URL,
            "mcpServers",
            p ->
                    List.of(
                            p.project().resolve(".amazonq/mcp.json"),
                            p.home().resolve(".aws/amazonq/mcp.json")));

    /** How a configuration specifies a server that is reached by URL. */
    private enum Way {
        PROGRAM,
        URL,
        TYPED_URL,
        SERVER_URL,
        HTTP_URL,
        COPILOT,
        CLINE,
        STREAMABLE,
        GOOSE,
        REMOTE
    }

    private final String label;
    private final Notation notation;
    private final Way way;
    private final String section;
    private final Function<Platform, List<Path>> files;

    ClientProgram(
            String label,
            Notation notation,
            Way way,
            String section,
            Function<Platform, List<Path>> files) {
        this.label = label;
        this.notation = notation;
        this.way = way;
        this.section = section;
        this.files = files;
    }

    private static List<Path> both(Platform platform, String file) {
        return List.of(platform.project().resolve(file), platform.home().resolve(file));
    }

    private static Path extension(Platform platform, String file) {
        return platform.support().resolve("Code/User/globalStorage").resolve(file);
    }

    private static List<Path> clineFiles(Platform platform) {
        String named = platform.environment().getOrDefault("CLINE_MCP_SETTINGS_PATH", "");
        Stream<Path> usual =
                Stream.of(
                        extension(
                                platform,
                                "saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
                        platform.home().resolve(".cline/data/settings/cline_mcp_settings.json"));
        return (named.isEmpty() ? usual : Stream.concat(Stream.of(Path.of(named)), usual)).toList();
    }

    private static List<Path> openCodeFiles(Platform platform) {
        return Stream.of(
                        platform.project(),
                        platform.project().resolve(".opencode"),
                        platform.home().resolve(".config/opencode"))
                .flatMap(f -> Stream.of("opencode.json", "opencode.jsonc").map(f::resolve))
                .toList();
    }

    public static Optional<ClientProgram> of(String label) {
        return Arrays.stream(values()).filter(client -> client.label.equals(label)).findFirst();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(client -> client.label).toList();
    }

    /**
     * Returns whether a file is where some client of this user keeps its own configuration, in no
     * project but in the home folder.
     */
    public static boolean isUsual(Path file, Platform platform) {
        Path path = file.toAbsolutePath().normalize();
        boolean isInHome = platform.project().equals(platform.home());
        for (ClientProgram client : values()) {
            for (Path known : client.files(platform)) {
                boolean isProject = !isInHome && known.startsWith(platform.project());
                if (!isProject && (path.equals(known) || path.startsWith(known))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the client that reads a file of this path, judging by its last parts, which are the
     * same for all users.
     */
    public static Optional<ClientProgram> reading(Path file, Platform platform) {
        Path path = file.toAbsolutePath().normalize();
        for (ClientProgram client : values()) {
            for (Path known : client.files(platform)) {
                int parts = Math.min(2, known.getNameCount());
                Path last = known.subpath(known.getNameCount() - parts, known.getNameCount());
                boolean isProject = platform.project().equals(known.getParent());
                if (path.equals(known)
                        || path.startsWith(known)
                        || path.endsWith(isProject ? last.getFileName() : last)) {
                    return Optional.of(client);
                }
            }
        }
        return Optional.empty();
    }

    public String label() {
        return label;
    }

    public Notation notation() {
        return notation;
    }

    /** Returns the member of the configuration that lists servers. */
    public String section() {
        return section;
    }

    /**
     * Returns the files and folders in which the client looks for servers, those of the project
     * first.
     */
    public List<Path> files(Platform platform) {
        return files.apply(platform);
    }

    /** Returns the file in which {@code client-config} writes. */
    public Path mainFile(Platform platform) {
        List<Path> all = files(platform);
        return switch (this) {
            case CURSOR, ZED, CODEX, GEMINI, COPILOT, CONTINUE, JETBRAINS, KIRO, AMAZON_Q ->
                    all.get(1);
            case OPENCODE -> all.get(4);
            default -> all.getFirst();
        };
    }

    /**
     * Returns the configuration entry of one server.
     *
     * @param program the command line, for clients that only start programs
     * @param token for a header, unless the client only starts programs
     */
    public ObjectNode entry(String name, URI url, List<String> program, Optional<String> token) {
        ObjectNode entry = entry(name, url, program);
        if (way != Way.PROGRAM) {
            token.ifPresent(given -> headers(entry).put("Authorization", "Bearer " + given));
        }
        return entry;
    }

    private ObjectNode headers(ObjectNode entry) {
        return switch (this) {
            case CODEX -> entry.putObject("http_headers");
            case CONTINUE -> entry.putObject("requestOptions").putObject("headers");
            default -> entry.putObject("headers");
        };
    }

    /** Returns whether the client only starts programs, which need no token in its file. */
    public boolean startsPrograms() {
        return way == Way.PROGRAM;
    }

    /**
     * Returns whether {@code client-config} writes in a file of the project, which a team shares
     * and which therefore must not have a token.
     */
    public boolean isOfProject() {
        return switch (this) {
            case CLAUDE_CODE, VSCODE, ROO -> true;
            default -> false;
        };
    }

    private ObjectNode entry(String name, URI url, List<String> program) {
        ObjectNode entry = Json.MAPPER.createObjectNode();
        String address = url.toString();
        switch (way) {
            case PROGRAM -> program(entry, program);
            case URL -> entry.put("url", address);
            case TYPED_URL -> entry.put("type", "http").put("url", address);
            case SERVER_URL -> entry.put("serverUrl", address);
            case HTTP_URL -> entry.put("httpUrl", address);
            case COPILOT -> {
                entry.put("type", "http").put("url", address);
                entry.putArray("tools").add("*");
            }
            case CLINE -> entry.put("type", "streamableHttp").put("url", address);
            case STREAMABLE -> {
                if (this == CONTINUE) {
                    entry.put("name", name);
                }
                entry.put("type", "streamable-http").put("url", address);
            }
            case GOOSE ->
                    entry.put("enabled", true)
                            .put("type", "streamable_http")
                            .put("name", name)
                            .put("description", "All MCP servers of Orloj")
                            .put("uri", address)
                            .put("timeout", 300);
            case REMOTE -> entry.put("type", "remote").put("url", address);
        }
        return entry;
    }

    /** Returns an entry with a command, which every client reads. */
    public static ObjectNode programEntry(List<String> program) {
        return program(Json.MAPPER.createObjectNode(), program);
    }

    private static ObjectNode program(ObjectNode entry, List<String> program) {
        entry.put("command", program.getFirst());
        program.subList(1, program.size()).forEach(entry.putArray("args")::add);
        return entry;
    }
}
