package dev.orloj.server.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.orloj.api.certificate.Fingerprint;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Clients with certificates of the authorities in a data directory. */
public final class TestCertificates {

    private static final char[] NO_PASSWORD = new char[0];
    private static final String STORE_PASSWORD = "changeit";

    private final Path tls;

    public TestCertificates(Path dataDirectory) {
        this.tls = dataDirectory.resolve("tls");
    }

    /** A client without a certificate. */
    public SSLContext anonymous() throws IOException, GeneralSecurityException {
        return context(null);
    }

    /** A client with the certificate of the owner. */
    public SSLContext owner() throws IOException, GeneralSecurityException {
        return context(read("admin"));
    }

    /** A client with a certificate that the authority has issued at a time. */
    public SSLContext user(InstantSource clock, String name, List<String> groups)
            throws IOException, GeneralSecurityException {
        return context(
                new CertificateAuthority(read("client-ca"), clock).issueClient(name, groups));
    }

    /** A client with a certificate of an authority that is not trusted. */
    public SSLContext stranger(String name, List<String> groups)
            throws IOException, GeneralSecurityException {
        return context(
                CertificateAuthority.create("orloj-client-ca", InstantSource.system())
                        .issueClient(name, groups));
    }

    /** Writes the certificate of a new authority for clients, and returns a client of it. */
    public SSLContext writeClientAuthority(Path file, String name)
            throws IOException, GeneralSecurityException {
        CertificateAuthority authority =
                CertificateAuthority.create("team-" + name, InstantSource.system());
        Files.writeString(file, Pem.of(List.of(authority.certificate())));
        return context(authority.issueClient(name, List.of()));
    }

    /**
     * Writes a certificate of a new authority for 127.0.0.1, with that of the authority.
     *
     * @return a client without a certificate that trusts only this authority
     */
    public static SSLContext writeServer(Path certificate, Path key)
            throws IOException, GeneralSecurityException {
        CertificateAuthority authority =
                CertificateAuthority.create("own-ca", InstantSource.system());
        CertifiedKey server = authority.issueServer(List.of(), List.of("127.0.0.1"));
        Files.writeString(key, Pem.of(server.key()));
        Files.writeString(
                certificate, Pem.of(List.of(server.certificate(), authority.certificate())));
        return context(null, authority.certificate());
    }

    /**
     * Makes a certificate of a new authority for 127.0.0.1.
     *
     * @param authority where to write the certificate of the authority
     */
    public static KeyStore server(Path authority, char[] password)
            throws IOException, GeneralSecurityException {
        CertificateAuthority issuer = CertificateAuthority.create("idp-ca", InstantSource.system());
        CertifiedKey server = issuer.issueServer(List.of("localhost"), List.of("127.0.0.1"));
        Files.writeString(authority, Pem.of(List.of(issuer.certificate())));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, password);
        store.setKeyEntry(
                "server", server.key(), password, server.chain().toArray(X509Certificate[]::new));
        return store;
    }

    /**
     * Makes a certificate for 127.0.0.1 and localhost that has issued itself.
     *
     * @param name of the issuer, such as {@code CN=ca, O=Example}
     */
    public static KeyStore selfIssued(Path store, String name, String password)
            throws IOException, GeneralSecurityException, InterruptedException {
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-dname",
                                name,
                                "-ext",
                                "SAN=IP:127.0.0.1,DNS:localhost",
                                "-storepass",
                                password,
                                "-keystore",
                                store.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        if (keytool.waitFor() != 0) {
            throw new AssertionError(output);
        }
        return KeyStore.getInstance(store.toFile(), password.toCharArray());
    }

    /** Returns what serves the only certificate of a store. */
    public static SSLContext serving(KeyStore store, String password)
            throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /**
     * Returns the options with which a JVM trusts certificates, and nothing else.
     *
     * @param store where they are written
     */
    public static List<String> trusting(Path store, List<? extends Certificate> trusted)
            throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        for (Certificate certificate : trusted) {
            authorities.setCertificateEntry("trusted-" + authorities.size(), certificate);
        }
        try (OutputStream out = Files.newOutputStream(store)) {
            authorities.store(out, STORE_PASSWORD.toCharArray());
        }
        return List.of(
                "-Djavax.net.ssl.trustStore=" + store,
                "-Djavax.net.ssl.trustStorePassword=" + STORE_PASSWORD);
    }

    /** Returns the fingerprint of the authority of an orlojd, as {@code config import} takes it. */
    public static String fingerprint(Path dataDirectory) throws IOException {
        return Fingerprint.of(
                        Authorities.read(
                                        Files.readString(
                                                dataDirectory.resolve("tls/server-ca.crt")))
                                .getFirst())
                .toString();
    }

    private CertifiedKey read(String name) throws IOException {
        return Pem.credential(
                Files.readString(tls.resolve(name + ".crt")),
                Files.readString(tls.resolve(name + ".key")));
    }

    private SSLContext context(@Nullable CertifiedKey credential)
            throws IOException, GeneralSecurityException {
        return context(credential, read("server-ca").certificate());
    }

    private static SSLContext context(@Nullable CertifiedKey credential, X509Certificate trusted)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, NO_PASSWORD);
        if (credential != null) {
            keys.setKeyEntry(
                    "client",
                    credential.key(),
                    NO_PASSWORD,
                    credential.chain().toArray(X509Certificate[]::new));
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, NO_PASSWORD);
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, NO_PASSWORD);
        authorities.setCertificateEntry("server-ca", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
