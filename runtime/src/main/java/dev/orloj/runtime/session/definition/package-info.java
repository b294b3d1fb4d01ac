/** The definition of a session: server, key, reconnect policy and settings. */
@NullMarked
package dev.orloj.runtime.session.definition;

import org.jspecify.annotations.NullMarked;
