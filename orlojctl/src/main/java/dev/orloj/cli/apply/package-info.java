/** Server-side apply: sends what manifests say, and takes over what older versions wrote. */
@NullMarked
package dev.orloj.cli.apply;

import org.jspecify.annotations.NullMarked;
