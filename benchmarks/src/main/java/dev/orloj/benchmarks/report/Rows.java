package dev.orloj.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what is measured, round by round, into rows in the order in which they first came. */
public final class Rows {

    private record Key(String load, String subject) {}

    private final Map<Key, List<Map<String, Double>>> rounds = new LinkedHashMap<>();

    public void add(String subject, String load, Map<String, Double> values) {
        rounds.computeIfAbsent(new Key(load, subject), key -> new ArrayList<>()).add(values);
    }

    public List<Row> list() {
        return rounds.entrySet().stream()
                .map(e -> new Row(e.getKey().subject(), e.getKey().load(), e.getValue()))
                .toList();
    }
}
