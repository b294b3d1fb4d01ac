package dev.orloj.cli.check;

import dev.orloj.api.report.Finding;

import java.util.List;

/**
 * Writes findings as JUnit XML: a suite for each server, a case for each finding. Findings that do
 * not fail the command are cases that pass.
 */
final class JunitReport {

    private JunitReport() {}

    static String write(List<Checked> checked, FailOn failOn) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuites name=\"orlojctl check\" tests=\"")
                .append(checked.stream().mapToInt(JunitReport::cases).sum())
                .append("\" failures=\"")
                .append(checked.stream().mapToLong(one -> failures(one, failOn)).sum())
                .append("\">\n");
        for (Checked one : checked) {
            xml.append("  <testsuite name=\"%s\"".formatted(escape(one.name())))
                    .append(" tests=\"%d\"".formatted(cases(one)))
                    .append(" failures=\"%d\"".formatted(failures(one, failOn)));
            one.file().ifPresent(file -> xml.append(" file=\"%s\"".formatted(escape(file))));
            xml.append(">\n");
            if (one.findings().isEmpty()) {
                xml.append(start(one, "no findings")).append("/>\n");
            }
            one.findings().forEach(finding -> append(one, finding, failOn.fails(finding), xml));
            xml.append("  </testsuite>\n");
        }
        return xml.append("</testsuites>\n").toString();
    }

    private static int cases(Checked one) {
        return Math.max(1, one.findings().size());
    }

    private static long failures(Checked one, FailOn failOn) {
        return one.findings().stream().filter(failOn::fails).count();
    }

    private static String start(Checked one, String name) {
        return "    <testcase classname=\"%s\" name=\"%s\""
                .formatted(escape(one.name()), escape(name));
    }

    private static void append(Checked one, Finding finding, boolean fails, StringBuilder xml) {
        String name = (finding.id() + " " + finding.field()).strip();
        String text = "%s\n%s".formatted(finding.message(), finding.remedy());
        xml.append(start(one, name)).append(">\n");
        if (fails) {
            xml.append(
                    "      <failure type=\"%s\" message=\"%s\">%s</failure>\n"
                            .formatted(
                                    finding.severity().word(),
                                    escape(finding.message()),
                                    escape(text)));
        } else {
            xml.append(
                    "      <system-out>%s: %s</system-out>\n"
                            .formatted(finding.severity().word(), escape(text)));
        }
        xml.append("    </testcase>\n");
    }

    /** Escapes markup, and replaces what XML 1.0 cannot have at all. */
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> append(c, escaped));
        return escaped.toString();
    }

    private static void append(int c, StringBuilder target) {
        switch (c) {
            case '&' -> target.append("&amp;");
            case '<' -> target.append("&lt;");
            case '>' -> target.append("&gt;");
            case '"' -> target.append("&quot;");
            case '\n', '\t' -> target.appendCodePoint(c);
            default -> target.appendCodePoint(isXml(c) ? c : 0xFFFD);
        }
    }

    private static boolean isXml(int c) {
        return (c >= 0x20 && c <= 0xD7FF && (c < 0x7F || c > 0x9F))
                || (c >= 0xE000 && c <= 0xFFFD)
                || c >= 0x10000;
    }
}
