/** The certificate authorities of orlojd, and the certificates that they issue. */
@NullMarked
package dev.orloj.server.certificate;

import org.jspecify.annotations.NullMarked;
