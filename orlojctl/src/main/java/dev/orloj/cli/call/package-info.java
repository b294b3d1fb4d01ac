/** Commands that call tools and trace calls. */
@NullMarked
package dev.orloj.cli.call;

import org.jspecify.annotations.NullMarked;
