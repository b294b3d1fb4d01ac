/** Shows the processes of stdio servers as Pods. */
@NullMarked
package dev.orloj.controllers.pods;

import org.jspecify.annotations.NullMarked;
