package dev.orloj.cli.command;

import picocli.CommandLine.Model.ArgSpec;

/** An option without a value. */
public record Flag(ArgSpec spec) {

    public boolean isSet() {
        return Boolean.TRUE.equals(spec.<Boolean>getValue());
    }
}
