package dev.orloj.cli.jsonpath;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** One step of a path, from a set of values to the next. */
sealed interface Step {

    /** {@code .name} or {@code ['name']}. */
    record Field(String name) implements Step {}

    /** {@code .*} or {@code [*]}. */
    record Wildcard() implements Step {}

    /** {@code ..}: every value below, and the value itself. */
    record Descent() implements Step {}

    /** {@code [from:to:step]}; absent parts are null. A single index is a slice of one. */
    record Slice(
            @Nullable Integer from, @Nullable Integer to, @Nullable Integer step, boolean isIndex)
            implements Step {}

    /** {@code ['a','b']} or {@code [0,2]}. */
    record Union(List<List<Step>> paths) implements Step {}

    /** {@code [?(left operator right)]}; without an operator, the left side must exist. */
    record Filter(Operand left, String operator, @Nullable Operand right) implements Step {}

    /** A side of a filter. */
    sealed interface Operand {

        /** {@code @.name}. */
        record Path(List<Step> steps) implements Operand {}

        /** {@code "text"}, {@code 5}, {@code true}. */
        record Literal(String text, boolean isString) implements Operand {}
    }
}
