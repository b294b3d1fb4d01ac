/** Whether the policies of a namespace allow what a resource runs and reaches. */
@NullMarked
package dev.orloj.controllers.policy;

import org.jspecify.annotations.NullMarked;
