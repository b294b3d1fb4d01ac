/** Images, their pulls and their declarations. */
@NullMarked
package dev.orloj.runtime.container.image;

import org.jspecify.annotations.NullMarked;
