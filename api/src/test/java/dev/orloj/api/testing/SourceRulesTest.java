package dev.orloj.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

class SourceRulesTest {

    @TempDir private Path folder;

    @Test
    void mainCodeOfEveryModuleFollowsTheRules() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.toList()) {
                files.addAll(javaFiles(module.resolve("src/main/java")));
            }
        }
        assertThat(files).hasSizeGreaterThan(500);
        assertThat(SourceRules.violations(files)).isEmpty();
    }

    /** A name of two types has to be read with its package. Nothing depends on the benchmarks. */
    @Test
    void noTwoTypesOfTheProductHaveTheSameName() throws IOException {
        Map<String, List<Path>> byName = new TreeMap<>();
        for (String module : List.of("api", "runtime", "controllers", "orlojd", "orlojctl")) {
            for (Path file : javaFiles(Path.of("..", module, "src/main/java"))) {
                byName.computeIfAbsent(file.getFileName().toString(), _ -> new ArrayList<>())
                        .add(file);
            }
        }
        byName.remove("package-info.java");
        assertThat(byName).hasSizeGreaterThan(500);
        assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }

    @Test
    void fileOfMoreThan400LinesFailsTheBuild() throws IOException {
        assertThat(SourceRules.violations(List.of(source("class A {" + "\n".repeat(399) + "}"))))
                .isEmpty();
        assertThat(SourceRules.violations(List.of(source("class A {" + "\n".repeat(400) + "}"))))
                .singleElement()
                .asString()
                .contains("A.java has 401 lines, more than 400");
    }

    @Test
    void methodOfMoreThan60LinesFailsTheBuild() throws IOException {
        String most = "class A {\n\n    void run() {" + "\n".repeat(59) + "    }\n}";
        String more = most.replace("run() {", "run() {\n");
        assertThat(SourceRules.violations(List.of(source(most)))).isEmpty();
        assertThat(SourceRules.violations(List.of(source(more))))
                .singleElement()
                .asString()
                .contains("A.java:3: run has 61 lines, more than 60");
    }

    @Test
    void parameterAndLocalVariableWithAnInventedWordFailTheBuild() throws IOException {
        String text =
                "class A {\n    void run(int news) {\n        int mostPatience = news;\n    }\n}";
        assertThat(SourceRules.violations(List.of(source(text))))
                .hasSize(2)
                .anyMatch(line -> line.contains("A.java:2: news has \"news\" in its name"))
                .anyMatch(line -> line.contains("A.java:3: mostPatience has \"patience\""));
    }

    @Test
    void upperLimitIsCalledMax() throws IOException {
        assertThat(SourceRules.violations(List.of(source("class A { int MOST_FILES = 3; }"))))
                .singleElement()
                .asString()
                .contains("MOST_FILES: start the name of an upper limit with MAX_");
    }

    private Path source(String text) throws IOException {
        return Files.writeString(folder.resolve("A.java"), text);
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
