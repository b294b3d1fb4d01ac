/**
 * The resource model: what every kind shares, how its changes are reported, and how errors are
 * named.
 */
@NullMarked
package dev.orloj.api;

import org.jspecify.annotations.NullMarked;
