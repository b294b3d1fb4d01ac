package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.PseudoTerminal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The launcher in a terminal, installed with a JDK whose {@code java} starts the classes of this
 * test.
 */
@DisplayName("20.7: tables fit the real width of the terminal, without COLUMNS")
class TerminalWidthTest extends CommandTest {

    private static final Path BIN = Path.of("../bin");

    @TempDir private Path folder;

    private Path launcher;

    @BeforeEach
    void install() throws IOException {
        for (String file : List.of("orlojctl", "lib/jdk.sh", "lib/launch.sh")) {
            Path copy = folder.resolve("bin").resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(BIN.resolve(file), copy);
        }
        launcher = folder.resolve("bin/orlojctl");
        Path jar = folder.resolve("lib/orlojctl/orlojctl.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "no real jar");
        Path java = folder.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
        Files.writeString(
                java,
                """
                #!/bin/sh
                while [ "$1" != -jar ]; do shift; done
                shift 2
                exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s "$@"
                """
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        orlojd.resources().put(server("everything"));
        orlojd.resources().put(failing("a-server-with-a-long-name"));
    }

    private List<String> table(Map<String, String> more, int columns, String... command)
            throws Exception {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("ORLOJCTL_SERVER", orlojd.url());
        environment.put("ORLOJ_JAVA_HOME", folder.resolve("jdk").toString());
        environment.put("ORLOJ_AOT", "off");
        PseudoTerminal.Ended ended =
                PseudoTerminal.run(columns, environment, Stream.of(command).toList());
        assertThat(ended.exitCode()).as(ended.printed()).isZero();
        return ended.printed().lines().toList();
    }

    private List<String> wideTable(int columns) throws Exception {
        return table(Map.of(), columns, launcher.toString(), "get", "mcp", "-o", "wide");
    }

    @Test
    void tableFitsTheTerminal() throws Exception {
        assertThat(wideTable(119))
                .hasSize(3)
                .allMatch(line -> line.length() <= 119)
                .anyMatch(line -> line.startsWith("a-server-with-a-long-name "))
                .anyMatch(line -> line.contains(" https://mcp.…  "));
        assertThat(wideTable(83))
                .allMatch(line -> line.length() <= 83)
                .anyMatch(line -> line.startsWith("a-server-with-a-lon… http    False Error  0 "));
        assertThat(wideTable(300)).noneMatch(line -> line.contains("…"));
    }

    @Test
    void variableOfTheUserWins() throws Exception {
        assertThat(
                        table(
                                Map.of("COLUMNS", "60"),
                                200,
                                launcher.toString(),
                                "get",
                                "mcp",
                                "-o",
                                "wide"))
                .allMatch(line -> line.length() <= 60);
    }

    @Test
    void nothingIsCutInAPipe() throws Exception {
        assertThat(
                        table(
                                Map.of("COLUMNS", "60", "ORLOJCTL_WIDTH", "60"),
                                60,
                                "sh",
                                "-c",
                                "\"$0\" get mcp -o wide | cat",
                                launcher.toString()))
                .noneMatch(line -> line.contains("…"))
                .anyMatch(line -> line.length() > 100);
    }

    @Test
    void terminalWithoutASizeCutsNothing() throws Exception {
        assertThat(wideTable(0)).noneMatch(line -> line.contains("…"));
    }
}
