/** Commands that read and change resources. */
@NullMarked
package dev.orloj.cli.resource;

import org.jspecify.annotations.NullMarked;
