/** Recognizes programs of servers that download packages, and evaluates the output of servers. */
@NullMarked
package dev.orloj.controllers.program;

import org.jspecify.annotations.NullMarked;
