/** Everything that brings the world in line with the resources. */
@NullMarked
package dev.orloj.controllers;

import org.jspecify.annotations.NullMarked;
