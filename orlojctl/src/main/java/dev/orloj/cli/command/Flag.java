package dev.orloj.cli.command;

import picocli.CommandLine.Model.ArgSpec;

/** An option that is given or not. */
record Flag(ArgSpec spec) {

    boolean isSet() {
        return Boolean.TRUE.equals(spec.<Boolean>getValue());
    }
}
