package dev.orloj.cli.command;

import picocli.CommandLine.Model.ArgSpec;

import java.util.List;

/** Values of an option that may be repeated, or arguments. */
public record TextsOption(ArgSpec spec) {

    public List<String> get() {
        List<String> values = spec.getValue();
        return values == null ? List.of() : List.copyOf(values);
    }
}
