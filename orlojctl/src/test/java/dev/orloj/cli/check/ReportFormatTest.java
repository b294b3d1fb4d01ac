package dev.orloj.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

import java.io.StringReader;
import java.util.List;
import java.util.Optional;

import javax.xml.parsers.DocumentBuilderFactory;

@DisplayName("issue 20, item 5: the formats of check")
class ReportFormatTest {

    /** What a hostile server may have in the names of its tools. */
    private static final String HOSTILE = "a <b> & \"c\" \u001b[31m \u0000 \uFFFF \u0085 ]]> \n d";

    private static final List<Checked> CHECKED =
            List.of(
                    new Checked(
                            "default/good", Optional.empty(), new Report(null, 1, 7, List.of())),
                    new Checked(
                            "default/bad",
                            Optional.empty(),
                            new Report(
                                    null,
                                    1,
                                    0,
                                    List.of(
                                            Finding.of(Check.STDOUT_NOISE, HOSTILE),
                                            Finding.of(Check.LIST_FAILED, "broken"),
                                            new Finding("of-a-newer-server", null, "", "x", "")))));

    @Test
    void textIsPlainAndWorstFirst() {
        assertThat(ReportFormat.TEXT.write(CHECKED, FailOn.ERROR))
                .startsWith("default/good: no findings\n")
                .containsSubsequence("error    list-failed", "warning  stdout-noise", "note ")
                .doesNotContain("\u001b", "\u0000", "\u0085")
                .endsWith("2 servers checked: 1 error, 1 warning, 1 note\n");
    }

    @Test
    void junitIsXmlWhateverServersSay() throws Exception {
        String xml = ReportFormat.JUNIT.write(CHECKED, FailOn.ERROR);

        var document =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(xml)));

        assertThat(document.getElementsByTagName("testcase").getLength()).isEqualTo(4);
        assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(document.getDocumentElement().getAttribute("tests")).isEqualTo("4");
        assertThat(document.getDocumentElement().getAttribute("failures")).isEqualTo("1");
    }

    @Test
    void sarifHasEveryRuleAndFindingsOfNewerServers() {
        var run =
                Json.MAPPER.readTree(ReportFormat.SARIF.write(CHECKED, FailOn.NEVER)).at("/runs/0");

        assertThat(run.at("/tool/driver/rules")).hasSameSizeAs(Check.values());
        assertThat(run.path("results").valueStream().map(r -> r.path("ruleId").asString()))
                .containsExactly("list-failed", "stdout-noise", "of-a-newer-server");
        assertThat(run.at("/results/2").has("ruleIndex")).isFalse();
    }
}
