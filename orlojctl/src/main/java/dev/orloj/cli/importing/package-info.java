/** Servers as clients configure them, and the manifests that run the same. */
@NullMarked
package dev.orloj.cli.importing;

import org.jspecify.annotations.NullMarked;
