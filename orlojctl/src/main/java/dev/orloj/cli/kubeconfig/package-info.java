/** The configuration that orlojctl shares with kubectl: its files, their contexts and changes. */
@NullMarked
package dev.orloj.cli.kubeconfig;

import org.jspecify.annotations.NullMarked;
