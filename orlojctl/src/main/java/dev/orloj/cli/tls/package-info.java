/** TLS connections by the settings of a kubeconfig: certificates and keys in PEM. */
@NullMarked
package dev.orloj.cli.tls;

import org.jspecify.annotations.NullMarked;
