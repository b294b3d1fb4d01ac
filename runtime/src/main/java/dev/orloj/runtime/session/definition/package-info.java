/** What a session is opened with. */
@NullMarked
package dev.orloj.runtime.session.definition;

import org.jspecify.annotations.NullMarked;
