/** The verbs that show what there is: kinds, their fields, and the state of orlojd. */
@NullMarked
package dev.orloj.cli.explore;

import org.jspecify.annotations.NullMarked;
