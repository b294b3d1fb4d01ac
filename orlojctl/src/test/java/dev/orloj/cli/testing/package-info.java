/** Test kit: a small orlojd over HTTP, and command lines run against it. */
@NullMarked
package dev.orloj.cli.testing;

import org.jspecify.annotations.NullMarked;
