/** One class for each verb of the command line, and how the verbs are found and run. */
@NullMarked
package dev.orloj.cli.command;

import org.jspecify.annotations.NullMarked;
