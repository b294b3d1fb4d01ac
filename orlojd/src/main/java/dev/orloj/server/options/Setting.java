package dev.orloj.server.options;

import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An option of orlojd that overrides a property.
 *
 * @param shape how the command line gives it
 * @param label of the value, in the help; empty for a flag
 * @param check of the value
 */
record Setting(
        String option,
        Shape shape,
        String label,
        String property,
        ValueCheck check,
        String description) {

    enum Shape {
        FLAG,
        TEXT,
        NUMBER,
        /** May be given several times. */
        REPEATED,
        /** May be given several times, with several values between commas. */
        LIST
    }

    static Setting flag(String option, String property) {
        return new Setting(option, Shape.FLAG, "", property, ValueCheck.NONE, "");
    }

    static Setting text(String option, String label, String property, ValueCheck check) {
        return new Setting(option, Shape.TEXT, label, property, check, "");
    }

    static Setting number(String option, String property, ValueCheck check) {
        return new Setting(option, Shape.NUMBER, "N", property, check, "");
    }

    Setting help(String text) {
        return new Setting(option, shape, label, property, check, text);
    }

    OptionSpec spec() {
        OptionSpec.Builder spec = OptionSpec.builder(option).description(description);
        return switch (shape) {
            case FLAG -> spec.type(boolean.class).build();
            case TEXT -> spec.type(String.class).paramLabel(label).build();
            case NUMBER -> spec.type(Integer.class).paramLabel(label).build();
            case REPEATED -> spec.type(List.class).paramLabel(label).build();
            case LIST -> spec.type(List.class).paramLabel(label).splitRegex(",").build();
        };
    }

    /**
     * Returns the value of the property.
     *
     * @param given the value of the option
     * @throws IllegalArgumentException with a message for the user
     */
    Object value(Object given) {
        return switch (given) {
            case Boolean flag -> flag;
            case List<?> values ->
                    check.value(
                            option,
                            values.stream().map(String::valueOf).collect(Collectors.joining(",")));
            case String text when text.isBlank() ->
                    // A variable of the shell that is not set must not mean the default.
                    throw new IllegalArgumentException(
                            option + " is empty: give a value, or leave it out");
            default -> check.value(option, given.toString());
        };
    }
}
