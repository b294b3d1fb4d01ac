/**
 * Runs the control loop, which makes the actual state match the desired state, one key at a time.
 */
@NullMarked
package dev.orloj.controllers.control;

import org.jspecify.annotations.NullMarked;
