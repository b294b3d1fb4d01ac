/** Manifests on the client: files, folders and standard input. */
@NullMarked
package dev.orloj.cli.manifest;

import org.jspecify.annotations.NullMarked;
