/** Manifests on the client's side: files, folders and standard input. */
@NullMarked
package dev.orloj.cli.manifest;

import org.jspecify.annotations.NullMarked;
