package dev.orloj.server.documents;

import java.util.List;

/**
 * Something that a reader of a page does.
 *
 * @param line where it is in the page, from 1
 */
sealed interface Step {

    int line();

    /**
     * A command for the shell.
     *
     * @param output the lines that the page shows below it; where there are none, it may print
     *     anything
     */
    record Run(int line, String command, List<String> output) implements Step {}

    /** A file that the page shows whole, under its name. */
    record Save(int line, String name, String text) implements Step {}
}
