/** Commands for those who run orlojd. */
@NullMarked
package dev.orloj.cli.admin;

import org.jspecify.annotations.NullMarked;
