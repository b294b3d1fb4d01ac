/** The output formats of resources that a template of the user describes, and their order. */
@NullMarked
package dev.orloj.cli.rendering;

import org.jspecify.annotations.NullMarked;
