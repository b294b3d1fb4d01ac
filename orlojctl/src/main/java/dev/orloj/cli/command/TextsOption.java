package dev.orloj.cli.command;

import picocli.CommandLine.Model.ArgSpec;

import java.util.List;

/** Values of an option that may be repeated, or arguments. */
record TextsOption(ArgSpec spec) {

    List<String> get() {
        List<String> values = spec.getValue();
        return values == null ? List.of() : List.copyOf(values);
    }
}
