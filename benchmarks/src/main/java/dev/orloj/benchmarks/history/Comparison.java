package dev.orloj.benchmarks.history;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the runs of two commits say about each ratio that both have. */
final class Comparison {

    /**
     * @param quantity title of a column
     */
    private record Figure(String benchmark, String load, String subject, String quantity) {}

    private final Map<Figure, List<Double>> worsening = new LinkedHashMap<>();

    /** Adds a round: the files that the runs of both commits have left. */
    void add(Path before, Path after) throws IOException {
        Map<Figure, Double> old = ratios(before);
        ratios(after)
                .forEach(
                        (figure, value) -> {
                            Double base = old.get(figure);
                            if (base != null && base > 0 && value > 0) {
                                worsening
                                        .computeIfAbsent(figure, f -> new ArrayList<>())
                                        .add(isRate(figure) ? base / value : value / base);
                            }
                        });
    }

    /** Of calls, writes or changes per second, more are better; of times and memory, less is. */
    private static boolean isRate(Figure figure) {
        return figure.quantity().endsWith("/s");
    }

    private static Map<Figure, Double> ratios(Path file) throws IOException {
        Map<Figure, Double> ratios = new LinkedHashMap<>();
        for (JsonNode table : Json.MAPPER.readTree(Files.readString(file)).path("benchmarks")) {
            JsonNode titles = table.path("columns");
            for (JsonNode row : table.path("rows")) {
                for (Map.Entry<String, JsonNode> ratio : row.path("ratioToBaseline").properties()) {
                    ratios.put(
                            new Figure(
                                    table.path("name").asString(),
                                    row.path("load").asString(),
                                    row.path("subject").asString(),
                                    titles.path(ratio.getKey()).asString(ratio.getKey())),
                            ratio.getValue().asDouble());
                }
            }
        }
        return ratios;
    }

    boolean isEmpty() {
        return worsening.isEmpty();
    }

    /** The lines of what is worse. */
    List<String> regressions() {
        return lines(true);
    }

    List<String> lines() {
        return lines(false);
    }

    private List<String> lines(boolean onlyRegressions) {
        List<String> lines = new ArrayList<>();
        worsening.forEach(
                (figure, rounds) -> {
                    PairedRatios ratios = new PairedRatios(rounds);
                    if (!onlyRegressions || ratios.isRegression()) {
                        lines.add(line(figure, ratios));
                    }
                });
        return lines;
    }

    private static String verdict(PairedRatios ratios) {
        if (ratios.isRegression()) {
            return "WORSE";
        }
        return ratios.isImprovement() ? "better" : "same";
    }

    private static String line(Figure figure, PairedRatios ratios) {
        return String.format(
                Locale.ROOT,
                "%-6s %-10s %-8s %-26s %-14s %6.1f %% (at least %.1f %%, %d rounds)",
                verdict(ratios),
                figure.benchmark(),
                figure.load(),
                figure.subject(),
                figure.quantity(),
                (ratios.median() - 1) * 100,
                (ratios.atLeast() - 1) * 100,
                ratios.worsening().size());
    }
}
