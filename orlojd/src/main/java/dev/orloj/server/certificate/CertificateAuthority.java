package dev.orloj.server.certificate;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;

/** Issues certificates with P-256 keys. Immutable. */
public final class CertificateAuthority {

    static final Duration CA_VALIDITY = Duration.ofDays(3650);
    static final Duration VALIDITY = Duration.ofDays(365);

    /** Clocks of clients may be behind. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final int SERIAL_BITS = 127;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final CertifiedKey credential;
    private final InstantSource clock;

    /**
     * @param credential of an authority that exists
     */
    CertificateAuthority(CertifiedKey credential, InstantSource clock) {
        this.credential = credential;
        this.clock = clock;
    }

    /** Creates an authority with a key of its own. */
    static CertificateAuthority create(String name, InstantSource clock)
            throws GeneralSecurityException {
        KeyPair keys = keys();
        X500Name subject = new X500NameBuilder().addRDN(BCStyle.CN, name).build();
        Validity validity = new Validity(clock.instant(), CA_VALIDITY);
        try {
            JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
            X509v3CertificateBuilder builder =
                    builder(subject, subject, keys, validity)
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                            .addExtension(
                                    Extension.keyUsage,
                                    true,
                                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature))
                            .addExtension(
                                    Extension.subjectKeyIdentifier,
                                    false,
                                    ids.createSubjectKeyIdentifier(keys.getPublic()));
            return new CertificateAuthority(
                    new CertifiedKey(keys.getPrivate(), List.of(signed(builder, keys))), clock);
        } catch (CertIOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    public X509Certificate certificate() {
        return credential.certificate();
    }

    CertifiedKey credential() {
        return credential;
    }

    /**
     * Issues a certificate for a server.
     *
     * @param names host names, without wildcards
     * @param addresses IP addresses as texts
     */
    CertifiedKey issueServer(Collection<String> names, Collection<String> addresses)
            throws GeneralSecurityException {
        List<GeneralName> alternatives = new ArrayList<>();
        names.forEach(name -> alternatives.add(new GeneralName(GeneralName.dNSName, name)));
        addresses.forEach(
                address -> alternatives.add(new GeneralName(GeneralName.iPAddress, address)));
        X500Name subject = new X500NameBuilder().addRDN(BCStyle.CN, "orlojd").build();
        return issue(subject, KeyPurposeId.id_kp_serverAuth, alternatives);
    }

    /** Issues a certificate that identifies a user with groups, as Kubernetes reads it. */
    CertifiedKey issueClient(String user, List<String> groups) throws GeneralSecurityException {
        List<RDN> names = new ArrayList<>();
        groups.forEach(group -> names.add(rdn(BCStyle.O, group)));
        names.add(rdn(BCStyle.CN, user));
        return issue(
                new X500Name(names.toArray(RDN[]::new)), KeyPurposeId.id_kp_clientAuth, List.of());
    }

    private static RDN rdn(ASN1ObjectIdentifier type, String value) {
        return new RDN(new AttributeTypeAndValue(type, new DERUTF8String(value)));
    }

    private CertifiedKey issue(
            X500Name subject, KeyPurposeId purpose, List<GeneralName> alternatives)
            throws GeneralSecurityException {
        KeyPair keys = keys();
        X500Name issuer =
                X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded());
        Validity validity = new Validity(clock.instant(), VALIDITY);
        try {
            X509v3CertificateBuilder builder =
                    builder(issuer, subject, keys, validity)
                            .addExtension(
                                    Extension.basicConstraints, true, new BasicConstraints(false))
                            .addExtension(
                                    Extension.keyUsage,
                                    true,
                                    new KeyUsage(KeyUsage.digitalSignature))
                            .addExtension(
                                    Extension.extendedKeyUsage,
                                    false,
                                    new ExtendedKeyUsage(purpose))
                            .addExtension(
                                    Extension.authorityKeyIdentifier,
                                    false,
                                    new JcaX509ExtensionUtils()
                                            .createAuthorityKeyIdentifier(certificate()));
            if (!alternatives.isEmpty()) {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(alternatives.toArray(GeneralName[]::new)));
            }
            X509Certificate issued =
                    signed(builder, new KeyPair(certificate().getPublicKey(), credential.key()));
            return new CertifiedKey(keys.getPrivate(), List.of(issued));
        } catch (CertIOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private record Validity(Instant from, Duration length) {}

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, KeyPair keys, Validity validity) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1),
                Date.from(validity.from().minus(SKEW)),
                Date.from(validity.from().plus(validity.length())),
                subject,
                keys.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, KeyPair issuer)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(
                                    new JcaContentSignerBuilder(SIGNATURE)
                                            .build(issuer.getPrivate())));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE), RANDOM);
        return generator.generateKeyPair();
    }
}
