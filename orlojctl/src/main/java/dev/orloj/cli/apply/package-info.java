/** Server-side apply: sends manifests, and upgrades ownership that older versions wrote. */
@NullMarked
package dev.orloj.cli.apply;

import org.jspecify.annotations.NullMarked;
