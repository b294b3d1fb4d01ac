/** The settings of {@code orlojd} as Spring configuration properties. */
@NullMarked
package dev.orloj.server.properties;

import org.jspecify.annotations.NullMarked;
