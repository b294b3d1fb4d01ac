/** The wire: one connection to orlojd, documents and watches over it. */
@NullMarked
package dev.orloj.cli.http;

import org.jspecify.annotations.NullMarked;
