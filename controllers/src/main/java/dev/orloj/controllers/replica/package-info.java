/** The replicas of orlojd, as they see each other. */
@NullMarked
package dev.orloj.controllers.replica;

import org.jspecify.annotations.NullMarked;
