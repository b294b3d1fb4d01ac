package dev.orloj.cli.check;

import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Severity;
import dev.orloj.cli.output.Text;

import java.util.List;
import java.util.Locale;

/** Writes findings for people. */
final class TextReport {

    private TextReport() {}

    static String write(List<Checked> checked) {
        StringBuilder text = new StringBuilder();
        checked.forEach(one -> append(one, text));
        text.append(
                "%s checked: %s, %s, %s\n"
                        .formatted(
                                Text.count(checked.size(), "server"),
                                count(checked, Severity.ERROR),
                                count(checked, Severity.WARNING),
                                count(checked, Severity.NOTE)));
        return text.toString();
    }

    private static String count(List<Checked> checked, Severity severity) {
        return Text.count(
                checked.stream().mapToLong(one -> one.count(severity)).sum(), severity.word());
    }

    private static void append(Checked one, StringBuilder text) {
        text.append(Text.oneLine(one.name()));
        one.file().ifPresent(file -> text.append(" (").append(Text.oneLine(file)).append(')'));
        text.append(one.findings().isEmpty() ? ": no findings" : ":").append('\n');
        for (Finding finding : one.findings()) {
            text.append("  %-7s  %s\n".formatted(finding.severity().word(), title(one, finding)));
            text.append("           ").append(Text.oneLine(finding.message())).append('\n');
            if (!finding.remedy().isEmpty()) {
                text.append("           ").append(Text.oneLine(finding.remedy())).append('\n');
            }
        }
        if (one.unshown() > 0) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  There are %,d more findings about its definitions.\n",
                            one.unshown()));
        }
        long tokens = one.report().definitionTokens();
        if (tokens > 0) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  The definitions of its tools cost an agent about %,d tokens.\n",
                            tokens));
        }
        text.append('\n');
    }

    private static String title(Checked one, Finding finding) {
        if (finding.field().isEmpty()) {
            return Text.oneLine(finding.id());
        }
        String line = one.file().isPresent() ? ", line " + one.line(finding.field()) : "";
        return Text.oneLine(finding.id() + "  " + finding.field() + line);
    }
}
