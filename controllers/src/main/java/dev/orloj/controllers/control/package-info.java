/** The loop that brings what is in line with what is wanted, one key at a time. */
@NullMarked
package dev.orloj.controllers.control;

import org.jspecify.annotations.NullMarked;
