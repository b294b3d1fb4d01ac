package dev.orloj.cli.jsonpath;

import java.util.List;

/** A part of a template. */
sealed interface Node {

    /** Text outside of braces, or quoted within. */
    record Text(String text) implements Node {}

    /** A path whose values are printed. */
    record Path(List<Step> steps) implements Node {}

    /** {@code {range path}...{end}}. */
    record Range(List<Step> steps, List<Node> body) implements Node {}
}
