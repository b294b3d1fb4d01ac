/** The settings of an operator, one record a subsystem, and the wiring that follows from them. */
@NullMarked
package dev.orloj.server.config;

import org.jspecify.annotations.NullMarked;
