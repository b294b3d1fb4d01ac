/** Output for users and scripts: tables, YAML, JSON and descriptions. */
@NullMarked
package dev.orloj.cli.output;

import org.jspecify.annotations.NullMarked;
