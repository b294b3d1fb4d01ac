package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;

/** The launcher of {@code orlojctl} after its caches were made. */
class TableCacheTest {

    @TempDir private Path folder;

    private InstalledLaunchers launchers;
    private Path orlojctl;

    /** Its caches are made by a JDK that writes a line into each. */
    @BeforeEach
    void installWithCaches() throws Exception {
        launchers = InstalledLaunchers.in(folder);
        Path java = launchers.jdk().resolve("bin/java");
        String printing = Files.readString(java);
        Files.writeString(
                java,
                """
                #!/bin/sh
                for option; do
                  case $option in -XX:AOTCacheOutput=*) echo x >"${option#*=}" ;; esac
                done
                """);
        orlojctl = launchers.root().resolve("bin/orlojctl");
        assertThat(launchers.run(List.of("ORLOJ_AOT=only"), orlojctl))
                .anyMatch(line -> line.startsWith("orlojctl: the cache is in '"));
        Files.writeString(java, printing);
        Files.writeString(launchers.root().resolve("bin/lib/make-cache"), "#!/bin/sh\n");
    }

    @ParameterizedTest
    @DisplayName("20.7: tables of orlojctl have a cache of their own, without the other classes")
    @CsvSource({
        "get tools, tables",
        "get mcp -A -n x -l a=b --show-labels -o wide, tables",
        "get, app",
        "get tools -o yaml, app",
        "get tool a, app",
        "get tool/a, app",
        "get tools -w, app",
        "get tools -n, app",
        "describe tool, app",
    })
    void tablesHaveACacheOfTheirOwn(String line, String cache) throws Exception {

        assertThat(launchers.run(List.of("ORLOJ_AOT=on"), orlojctl, line.split(" ")))
                .anyMatch(argument -> argument.matches("-XX:AOTCache=.*/" + cache + "\\.aot"))
                .contains("dev.orloj.cli.Main")
                .endsWith(line.split(" "));
    }

    @Test
    @DisplayName("20.7: a table of orlojctl takes no helper program")
    void tablesTakeNoHelperProgram() throws Exception {

        Path empty = Files.createDirectory(folder.resolve("empty"));

        assertThat(
                        launchers.run(
                                List.of("ORLOJ_AOT=on", "PATH=" + empty), orlojctl, "get", "tools"))
                .anyMatch(argument -> argument.endsWith("/tables.aot"))
                .endsWith("get", "tools");
    }

    @ParameterizedTest
    @DisplayName("20.7: the cache of another jar, another JDK or other options is not taken")
    @ValueSource(strings = {"jar", "release", "options"})
    void cacheOfSomethingElseIsNotTaken(String other) throws Exception {

        Instant old = Instant.parse("2020-01-01T00:00:00Z");
        if (other.equals("jar")) {
            Files.setLastModifiedTime(
                    launchers.root().resolve("lib/orlojctl/orlojctl.jar"), FileTime.from(old));
        } else if (other.equals("release")) {
            Files.writeString(launchers.jdk().resolve("release"), "JAVA_VERSION=\"25.0.4\"\n");
            Files.setLastModifiedTime(launchers.jdk().resolve("release"), FileTime.from(old));
        }
        String options = other.equals("options") ? "-XX:+UseZGC" : "-Da=b";

        assertThat(
                        launchers.run(
                                List.of("ORLOJ_AOT=on", "ORLOJ_JAVA_OPTS=" + options),
                                orlojctl,
                                "get",
                                "tools"))
                .contains("-jar")
                .noneMatch(argument -> argument.startsWith("-XX:AOTCache"));
    }
}
