/** The settings of {@code orlojd}, as Spring binds them. */
@NullMarked
package dev.orloj.server.properties;

import org.jspecify.annotations.NullMarked;
