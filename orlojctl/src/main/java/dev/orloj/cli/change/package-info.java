/** The verbs that change parts of resources: labels, annotations, single fields, documents. */
@NullMarked
package dev.orloj.cli.change;

import org.jspecify.annotations.NullMarked;
