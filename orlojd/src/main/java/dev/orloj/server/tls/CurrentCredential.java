package dev.orloj.server.tls;

import dev.orloj.server.certificate.CertifiedKey;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Presents one credential, which can be replaced: connections that are opened later get the new
 * one.
 */
final class CurrentCredential extends X509ExtendedKeyManager {

    private static final String ALIAS = "orlojd";

    private volatile CertifiedKey credential;

    CurrentCredential(CertifiedKey credential) {
        this.credential = credential;
    }

    void replace(CertifiedKey renewed) {
        credential = renewed;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return credential.key().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, Socket socket) {
        return credential.key().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(@Nullable String alias) {
        return credential.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(@Nullable String alias) {
        return credential.key();
    }

    @Override
    public String toString() {
        return "CurrentCredential" + Arrays.asList(credential);
    }
}
