/** Runs the containers of Sandboxes and enforces the policy for all containers. */
@NullMarked
package dev.orloj.controllers.sandbox;

import org.jspecify.annotations.NullMarked;
