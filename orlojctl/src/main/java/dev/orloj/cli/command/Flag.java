package dev.orloj.cli.command;

import picocli.CommandLine.Model.ArgSpec;

/** An option that is given or not. */
public record Flag(ArgSpec spec) {

    public boolean isSet() {
        return Boolean.TRUE.equals(spec.<Boolean>getValue());
    }
}
