/** HTTP communication with orlojd: requests, documents and watches. */
@NullMarked
package dev.orloj.cli.http;

import org.jspecify.annotations.NullMarked;
