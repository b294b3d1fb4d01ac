/** The verb that shows and changes the configuration that orlojctl shares with kubectl. */
@NullMarked
package dev.orloj.cli.config;

import org.jspecify.annotations.NullMarked;
