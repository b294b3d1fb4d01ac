/** Many writes as a row of small transactions. */
@NullMarked
package dev.orloj.controllers.batch;

import org.jspecify.annotations.NullMarked;
