/** The command line of Orloj: entry point, and where it reads from and prints to. */
@NullMarked
package dev.orloj.cli;

import org.jspecify.annotations.NullMarked;
