package dev.orloj.server.certificate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The certificates of this orlojd, in files of its data directory. They are created when they are
 * missing, and renewed after two thirds of their validity or when the names of the server change.
 */
public final class CertificateDirectory {

    /** The user of the certificate in the kubeconfig of the owner. */
    public static final String ADMINISTRATOR = "orloj-admin";

    /** The group of that user. A ClusterRoleBinding gives it its rights, which can be revoked. */
    public static final String ADMINISTRATORS = "orloj:administrators";

    private static final Logger log = LoggerFactory.getLogger(CertificateDirectory.class);

    private static final String SERVER_CA = "server-ca";
    private static final String CLIENT_CA = "client-ca";
    private static final String SERVER = "server";
    private static final String ADMIN = "admin";

    private final Path directory;
    private final InstantSource clock;
    private final Given given;

    /**
     * Files that an administrator gives.
     *
     * @param certificate of the server, with those of its issuers; null for one that is issued here
     * @param key of that certificate
     * @param clientAuthorities further ones; null for none
     */
    public record Given(
            @Nullable Path certificate, @Nullable Path key, @Nullable Path clientAuthorities) {

        static final Given NOTHING = new Given(null, null, null);
    }

    public CertificateDirectory(Path directory, InstantSource clock, Given given) {
        this.directory = directory;
        this.clock = clock;
        this.given = given;
    }

    /**
     * What the files hold.
     *
     * @param trusted what clients have to trust
     * @param clientAuthorities who issues the certificates of clients, first the one of orlojd
     * @param server of the server
     * @param administrator of the owner
     */
    public record Certificates(
            List<X509Certificate> trusted,
            List<X509Certificate> clientAuthorities,
            CertifiedKey server,
            CertifiedKey administrator) {

        public Certificates {
            trusted = List.copyOf(trusted);
            clientAuthorities = List.copyOf(clientAuthorities);
        }
    }

    /**
     * Reads the certificates, and creates those that are missing or due.
     *
     * @param names host names of the server
     * @param addresses its IP addresses
     * @throws IOException when a file cannot be read or written; the message names it
     */
    public Certificates prepare(Set<String> names, Set<String> addresses)
            throws IOException, GeneralSecurityException {
        PrivateFiles.createDirectories(directory);
        CertificateAuthority clients = authority(CLIENT_CA, "orloj-client-ca");
        CertifiedKey admin = read(ADMIN);
        if (admin == null || isDue(admin, clients)) {
            admin = write(ADMIN, clients.issueClient(ADMINISTRATOR, List.of(ADMINISTRATORS)));
        }
        List<X509Certificate> authorities = new ArrayList<>(List.of(clients.certificate()));
        if (given.clientAuthorities() != null) {
            authorities.addAll(certificates(given.clientAuthorities()));
        }
        if (given.certificate() != null && given.key() != null) {
            CertifiedKey server = credential(given.certificate(), given.key());
            return new Certificates(server.chain(), authorities, server, admin);
        }
        CertificateAuthority servers = authority(SERVER_CA, "orloj-server-ca");
        CertifiedKey issued = issued(servers, names, addresses);
        // With its authority, which a client on another machine compares and then trusts.
        CertifiedKey server =
                new CertifiedKey(
                        issued.key(), List.of(issued.certificate(), servers.certificate()));
        return new Certificates(List.of(servers.certificate()), authorities, server, admin);
    }

    private CertifiedKey issued(
            CertificateAuthority servers, Set<String> names, Set<String> addresses)
            throws IOException, GeneralSecurityException {
        CertifiedKey server = read(SERVER);
        if (server == null
                || isDue(server, servers)
                || !alternatives(server.certificate()).equals(union(names, addresses))) {
            server = write(SERVER, servers.issueServer(names, addresses));
        }
        return server;
    }

    private static List<X509Certificate> certificates(Path file) throws IOException {
        try {
            return Pem.certificates(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IOException("\"%s\" cannot be used: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static CertifiedKey credential(Path certificate, Path key) throws IOException {
        try {
            return Pem.credential(Files.readString(certificate), Files.readString(key));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "\"%s\" with \"%s\" cannot be used: %s"
                            .formatted(certificate, key, e.getMessage()),
                    e);
        }
    }

    private CertificateAuthority authority(String file, String name)
            throws IOException, GeneralSecurityException {
        CertifiedKey existing = read(file);
        if (existing != null) {
            return new CertificateAuthority(existing, clock);
        }
        CertificateAuthority created = CertificateAuthority.create(name, clock);
        write(file, created.credential());
        return created;
    }

    private boolean isDue(CertifiedKey credential, CertificateAuthority authority) {
        X509Certificate issuer = authority.certificate();
        boolean isForeign =
                !credential
                        .certificate()
                        .getIssuerX500Principal()
                        .equals(issuer.getSubjectX500Principal());
        try {
            credential.certificate().verify(issuer.getPublicKey());
        } catch (GeneralSecurityException e) {
            isForeign = true;
        }
        return isForeign || !clock.instant().isBefore(credential.renewal());
    }

    private @Nullable CertifiedKey read(String name) throws IOException {
        Path certificate = directory.resolve(name + ".crt");
        Path key = directory.resolve(name + ".key");
        if (!Files.exists(certificate) || !Files.exists(key)) {
            return null;
        }
        try {
            return Pem.credential(Files.readString(certificate), Files.readString(key));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "\"%s\" cannot be used: %s; delete it and its .key, and orlojd makes new ones"
                            .formatted(certificate, e.getMessage()),
                    e);
        }
    }

    /** Writes the key first: a certificate without a key counts as missing. */
    private CertifiedKey write(String name, CertifiedKey credential)
            throws IOException, GeneralSecurityException {
        Files.deleteIfExists(directory.resolve(name + ".crt"));
        PrivateFiles.write(directory.resolve(name + ".key"), Pem.of(credential.key()));
        PrivateFiles.write(directory.resolve(name + ".crt"), Pem.of(credential.chain()));
        log.atInfo()
                .addKeyValue("certificate", name)
                .addKeyValue("notAfter", credential.notAfter())
                .log("Certificate issued");
        return credential;
    }

    private static Set<String> union(Collection<String> names, Collection<String> addresses) {
        Set<String> all = new TreeSet<>(names);
        all.addAll(addresses);
        return all;
    }

    private static Set<String> alternatives(X509Certificate certificate)
            throws CertificateParsingException {
        Collection<List<?>> entries = certificate.getSubjectAlternativeNames();
        Set<String> names = new HashSet<>();
        if (entries != null) {
            entries.forEach(entry -> names.add(String.valueOf(entry.get(1))));
        }
        return names;
    }
}
