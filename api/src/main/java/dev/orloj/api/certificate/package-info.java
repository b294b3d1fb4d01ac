/** What people compare of certificates. */
@NullMarked
package dev.orloj.api.certificate;

import org.jspecify.annotations.NullMarked;
