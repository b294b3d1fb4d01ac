/** Runs the commands that the documents of the project show, and compares what they print. */
@NullMarked
package dev.orloj.server.documents;

import org.jspecify.annotations.NullMarked;
