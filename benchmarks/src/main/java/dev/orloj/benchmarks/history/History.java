package dev.orloj.benchmarks.history;

import dev.orloj.benchmarks.report.Machine;
import dev.orloj.benchmarks.report.Report;
import dev.orloj.benchmarks.report.Table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A file in the repository with one line for each ratio of each run that was recorded. Only ratios:
 * figures of two machines or of two runs are not to be compared. The load before the run shows
 * whether the machine was busy with something else.
 *
 * @param file created when it is missing
 */
public record History(Path file) {

    private static final String HEAD =
            "date,commit,effort,machine,load before,benchmark,at,subject,quantity,ratio,relative"
                    + " to";

    /**
     * Appends the ratios of a run.
     *
     * @return the number of lines
     * @throws IllegalArgumentException when the run cannot be attributed to a commit
     */
    public int append(Report report) throws IOException {
        String commit = report.machine().commit();
        if (commit.endsWith("+") || commit.equals("unknown")) {
            throw new IllegalArgumentException(
                    "commit \"%s\": only a run of a commit without local changes is recorded; commit them first"
                            .formatted(commit));
        }
        List<String> lines =
                report.tables().stream().flatMap(table -> lines(report, table)).toList();
        boolean isNew = Files.notExists(file);
        Files.write(
                file,
                Stream.concat(isNew ? Stream.of(HEAD) : Stream.empty(), lines.stream()).toList(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        return lines.size();
    }

    private static Stream<String> lines(Report report, Table table) {
        String prefix = prefix(report);
        return table.ratioLines().stream()
                .map(
                        line ->
                                prefix
                                        + cells(
                                                table.name(),
                                                line.load(),
                                                line.subject(),
                                                line.quantity(),
                                                ratio(line.ratio()),
                                                table.baseline()));
    }

    private static String prefix(Report report) {
        Machine machine = report.machine();
        return cells(
                        report.startedAt().atZone(ZoneOffset.UTC).toLocalDate().toString(),
                        machine.commit(),
                        report.effort(),
                        "%d x %s".formatted(machine.processors(), machine.cpu()),
                        String.format(Locale.ROOT, "%.2f", machine.loadAverage()))
                + ",";
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String cells(String... cells) {
        return String.join(",", Stream.of(cells).map(History::cell).toList());
    }

    private static String cell(String text) {
        return text.contains(",") || text.contains("\"")
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }
}
