/**
 * The resource model: what every kind shares, how changes of it are told, and how errors are named.
 */
@NullMarked
package dev.orloj.api;

import org.jspecify.annotations.NullMarked;
