package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * H-29: each reason that a condition can have, and each alert, has its section in the runbook.
 *
 * <p>Reasons are made in a few places only, and there each name in CamelCase between quotes is one,
 * unless it is listed here as something else. Thus a new one cannot be forgotten.
 */
class RunbookTest {

    private static final Path ROOT = Path.of("..");
    private static final Path RUNBOOK = ROOT.resolve("docs/runbook.md");
    private static final Path RULES = ROOT.resolve("deploy/prometheus/orloj.rules.yaml");

    /** Files and folders in which conditions and their reasons are made. */
    private static final List<String> PLACES =
            List.of(
                    "controllers/src/main/java",
                    "runtime/src/main/java/dev/orloj/runtime/listing",
                    "runtime/src/main/java/dev/orloj/runtime/oauth/OAuthFailure.java",
                    "api/src/main/java/dev/orloj/api/v1/ContainerAdvice.java");

    /** Where they are made among other things. */
    private static final Path DEFINITIONS =
            ROOT.resolve(
                    "orlojd/src/main/java/dev/orloj/server/builtin/CustomResourceDefinitions.java");

    private static final Pattern CAMEL_CASE = Pattern.compile("\"([A-Z][A-Za-z0-9]*[a-z0-9])\"");
    private static final Pattern KNOWS_CONDITIONS =
            Pattern.compile(
                    "import dev.orloj.api.(Condition|validation.Advice);|package dev.orloj.api;");
    private static final Pattern MAKES_CONDITION =
            Pattern.compile("Condition\\.(isTrue|isFalse|unknown)\\(|new (Condition|Advice)\\(");
    private static final Pattern DEFINED =
            Pattern.compile("addCondition\\(\\s*conditions, \"\\w+\", \"(\\w+)\"");
    private static final Pattern SECTION = Pattern.compile("(?m)^### (\\w+)$");
    private static final Pattern TEXT = Pattern.compile("(?ms)^### .*?(?=^##|\\z)");
    private static final Pattern LINK = Pattern.compile("\\]\\(#([\\w-]+)\\)");

    /** Constants of the api that are reasons. */
    private static final Set<String> OF_API = Set.of("Accepted", "Pulling");

    private static final Set<String> NO_REASONS =
            Set.of(
                    // types of conditions
                    "NamespaceDeletionContentFailure",
                    "NamespaceContentRemaining",
                    "NamespaceFinalizersRemaining",
                    "Connected",
                    "ToolsSynced",
                    "Ready",
                    // reasons of events alone
                    "Adopted",
                    "NotAdopted",
                    "DefinitionFindingsGone",
                    "Deleted",
                    "Disconnected",
                    "InvalidEnvironmentVariableNames",
                    "LeftOut",
                    "TokensNotRevoked",
                    "ToolDefinitionChanged",
                    "ToolsRemoved",
                    // statuses of Pods
                    "True",
                    "False",
                    "Completed",
                    "Error",
                    // the type of a Secret
                    "Opaque",
                    // names in messages
                    "EnvironmentSecrets",
                    "MountedSecrets");

    @Test
    void eachReasonOfAConditionAndEachAlertHasItsSection() {
        Set<String> expected = new TreeSet<>(reasons());
        assertThat(expected)
                .contains("ConnectFailed", "TooManyTools", "SlowStart", "NoConflicts")
                .hasSizeGreaterThan(40);
        expected.addAll(alerts());

        List<String> sections = found(SECTION, RUNBOOK).toList();

        assertThat(sections).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void whatIsNoReasonIsStillInTheCode() {
        assertThat(names()).containsAll(NO_REASONS);
    }

    @Test
    void conditionsAreMadeWhereTheirReasonsAreLookedFor() {
        List<Path> elsewhere =
                Stream.of("api", "runtime", "controllers", "orlojctl", "orlojd")
                        .flatMap(module -> sources(module + "/src/main/java"))
                        .filter(file -> PLACES.stream().noneMatch(at -> file.startsWith(at(at))))
                        .filter(file -> KNOWS_CONDITIONS.matcher(read(file)).find())
                        .filter(file -> MAKES_CONDITION.matcher(read(file)).find())
                        .map(Path::getFileName)
                        .toList();

        // What these make is called by the others, with the reason as argument.
        assertThat(elsewhere)
                .containsExactlyInAnyOrder(Path.of("Condition.java"), Path.of("Conditions.java"));
    }

    @Test
    void theRunbookOfEachAlertLeadsToItsSection() {
        List<String> anchors =
                found(Pattern.compile("runbook: docs/runbook\\.md#(\\S+)"), RULES).toList();

        assertThat(anchors).isEqualTo(alerts().stream().map(RunbookTest::anchor).toList());
    }

    @Test
    void linksWithinTheRunbookLeadSomewhere() {
        assertThat(found(SECTION, RUNBOOK).map(RunbookTest::anchor))
                .containsAll(found(LINK, RUNBOOK).toList());
    }

    @Test
    void eachSectionSaysWhatToDo() {
        assertThat(TEXT.matcher(read(RUNBOOK)).results().map(MatchResult::group))
                .hasSizeGreaterThan(40)
                .allMatch(
                        section ->
                                section.contains("* Do: ")
                                        || section.replace('\n', ' ')
                                                .contains("No action is needed"));
    }

    private static Set<String> reasons() {
        Set<String> reasons = new TreeSet<>(names());
        reasons.removeAll(NO_REASONS);
        reasons.addAll(OF_API);
        found(DEFINED, DEFINITIONS).forEach(reasons::add);
        return reasons;
    }

    private static Set<String> names() {
        return PLACES.stream()
                .flatMap(RunbookTest::sources)
                .flatMap(file -> found(CAMEL_CASE, file))
                .collect(Collectors.toSet());
    }

    private static List<String> alerts() {
        return found(Pattern.compile("- alert: (\\w+)"), RULES).toList();
    }

    /** As GitHub makes it of a heading of one word. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT);
    }

    private static Stream<String> found(Pattern pattern, Path file) {
        return pattern.matcher(read(file)).results().map((MatchResult match) -> match.group(1));
    }

    private static Stream<Path> sources(String place) {
        try (Stream<Path> files = Files.walk(at(place))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path at(String place) {
        return ROOT.resolve(place);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
