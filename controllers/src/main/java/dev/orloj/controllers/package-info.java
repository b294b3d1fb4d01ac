/** Runs the controllers that make the actual state match the resources. */
@NullMarked
package dev.orloj.controllers;

import org.jspecify.annotations.NullMarked;
