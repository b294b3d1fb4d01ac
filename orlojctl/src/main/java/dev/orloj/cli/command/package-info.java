/** The base of all commands: arguments, options, context and exit codes. */
@NullMarked
package dev.orloj.cli.command;

import org.jspecify.annotations.NullMarked;
