/**
 * Findings about definitions that models read: tools, prompts, resources and the instructions of a
 * server. Nothing is decided here, and a definition without findings is not proven harmless.
 */
@NullMarked
package dev.orloj.api.findings;

import org.jspecify.annotations.NullMarked;
