/** What people and scripts read: tables, YAML, JSON and descriptions. */
@NullMarked
package dev.orloj.cli.output;

import org.jspecify.annotations.NullMarked;
