/** The entry point of the server: starts, configures and stops all components. */
@NullMarked
package dev.orloj.server;

import org.jspecify.annotations.NullMarked;
