/** The JSONPath templates of kubectl: their syntax, their evaluation and how values are printed. */
@NullMarked
package dev.orloj.cli.jsonpath;

import org.jspecify.annotations.NullMarked;
