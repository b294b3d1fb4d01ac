/** The server: starts, configures and stops everything. */
@NullMarked
package dev.orloj.server;

import org.jspecify.annotations.NullMarked;
