/** What an operator can set, one record a subsystem, and the wiring that follows from it. */
@NullMarked
package dev.orloj.server.config;

import org.jspecify.annotations.NullMarked;
