package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.findings.FindingRule;
import dev.orloj.api.report.Check;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

@DisplayName("issue 20, item 5: the documented checks")
class DocumentedChecksTest {

    @Test
    void docsHaveEveryCheckAsItIs() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("../docs/check.md")).stream()
                        .filter(line -> line.startsWith("| `"))
                        .filter(line -> Check.find(line.split("`", 3)[1]).isPresent())
                        .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Stream.of(Check.values()).map(this::row).toList());
    }

    @Test
    void docsHaveEveryRuleOfFindingsAsItIs() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("../docs/trust.md")).stream()
                        .filter(line -> line.startsWith("| `"))
                        .filter(line -> FindingRule.find(line.split("`", 3)[1]).isPresent())
                        .toList();

        assertThat(rows)
                .containsExactlyElementsOf(
                        Stream.of(FindingRule.values())
                                .map(
                                        rule ->
                                                "| `%s` | %s | %s | %s |"
                                                        .formatted(
                                                                rule.id(),
                                                                rule.severity()
                                                                        .name()
                                                                        .toLowerCase(Locale.ROOT),
                                                                rule.rule(),
                                                                rule.remedy()))
                                .toList());
    }

    private String row(Check check) {
        return "| `%s` | %s | %s | %s |"
                .formatted(check.id(), check.severity().word(), check.rule(), check.remedy());
    }

    @Test
    void reasonsOfConditionsAreChecks() {
        assertThat(Check.ofReason("SecretKeyNotFound")).contains(Check.SECRET_KEY_NOT_FOUND);
        assertThat(Check.ofReason("ConfigMapNotFound")).contains(Check.CONFIG_MAP_NOT_FOUND);
        assertThat(Check.ofReason("Unheard")).isEmpty();
    }
}
