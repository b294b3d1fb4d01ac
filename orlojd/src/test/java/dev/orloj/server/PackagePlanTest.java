package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The picture of the packages in {@code docs/architecture.md} shows the packages that there are. To
 * draw it anew: {@code PLAN=write ./mvnw -pl orlojd -am test -Dtest=PackagePlanTest}
 */
class PackagePlanTest {

    private static final Path DOCUMENT = Path.of("../docs/architecture.md");
    private static final String BEGIN = "<!-- packages, drawn by PackagePlanTest -->\n";
    private static final String END = "<!-- end of packages -->\n";
    private static final int WIDTH = 100;

    private static final Map<String, String> MODULES =
            new TreeMap<>(
                    Map.of(
                            "dev.orloj.api", "api",
                            "dev.orloj.runtime", "runtime",
                            "dev.orloj.controllers", "controllers",
                            "dev.orloj.server", "orlojd",
                            "dev.orloj.cli", "orlojctl"));

    @Test
    void pictureShowsThePackages() throws IOException {
        String text = Files.readString(DOCUMENT);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        String expected = text.substring(0, begin) + picture() + text.substring(end);
        if ("write".equals(System.getenv("PLAN"))) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(Files.readString(DOCUMENT)).isEqualTo(expected);
    }

    private static String picture() {
        Collection<JavaClass> classes =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages(MODULES.keySet());
        StringBuilder picture = new StringBuilder("```\n");
        for (String root : List.of("server", "cli", "controllers", "runtime", "api")) {
            draw("dev.orloj." + root, classes, picture);
        }
        return picture.append("```\n").toString();
    }

    private static void draw(String root, Collection<JavaClass> classes, StringBuilder picture) {
        Map<String, Set<String>> uses = uses(root, classes);
        NavigableMap<Integer, Set<String>> floors = new TreeMap<>();
        uses.keySet()
                .forEach(
                        name ->
                                floors.computeIfAbsent(floor(name, uses), _ -> new TreeSet<>())
                                        .add(name));
        picture.append("%s (%s)\n".formatted(MODULES.get(root), root));
        floors.descendingMap()
                .forEach(
                        (floor, names) ->
                                picture.append(
                                        wrapped(
                                                "%4d  ".formatted(floor),
                                                names.stream()
                                                        .map(name -> shortName(root, name))
                                                        .toList())));
    }

    /** Which packages of the module each of its packages uses. */
    private static Map<String, Set<String>> uses(String root, Collection<JavaClass> classes) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : classes) {
            String name = type.getPackageName();
            if (!isIn(root, name) || type.getSimpleName().equals("package-info")) {
                continue;
            }
            Set<String> used = uses.computeIfAbsent(name, _ -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getPackageName())
                    .filter(other -> isIn(root, other) && !other.equals(name))
                    .forEach(used::add);
        }
        return uses;
    }

    private static boolean isIn(String root, String name) {
        return name.equals(root) || name.startsWith(root + ".");
    }

    /** One more than that of the highest package that it uses. */
    private static int floor(String name, Map<String, Set<String>> uses) {
        return 1 + uses.get(name).stream().mapToInt(other -> floor(other, uses)).max().orElse(0);
    }

    private static String shortName(String root, String name) {
        return name.equals(root) ? "(root)" : name.substring(root.length() + 1);
    }

    private static String wrapped(String label, List<String> names) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder(label);
        for (String name : names) {
            if (line.length() + name.length() + 2 > WIDTH && line.length() > label.length()) {
                lines.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(" ".repeat(label.length()));
            }
            line.append(name).append("  ");
        }
        return lines.append(line.toString().stripTrailing()).append('\n').toString();
    }
}
