package dev.orloj.server.oidc;

import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.server.certificate.Authorities;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an AuthenticationConfiguration of Kubernetes, without its expressions (CEL). Every error is
 * an IllegalArgumentException that names the field.
 */
final class AuthenticationConfiguration {

    private static final String VERSION = "apiserver.config.k8s.io/v1";
    private static final String KIND = "AuthenticationConfiguration";
    private static final int MAX_ISSUERS = 64;
    private static final String WELL_KNOWN = "/.well-known/openid-configuration";
    private static final String CEL =
            "expressions (CEL) are not supported; use claim, prefix and requiredValue";

    private AuthenticationConfiguration() {}

    static List<IssuerSettings> read(byte[] file) {
        Document document;
        try {
            document = DocumentReader.readYaml(file);
        } catch (MalformedDocumentException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (!document.duplicates().isEmpty()) {
            throw new IllegalArgumentException(
                    document.duplicates().getFirst() + ": the field is there twice");
        }
        Fields root = new Fields("", document.root());
        require(root, "apiVersion", VERSION);
        require(root, "kind", KIND);
        root.refuse("anonymous", "orlojd has fixed paths for anonymous requests; leave it out");
        List<IssuerSettings> issuers = new ArrayList<>();
        for (Fields jwt : root.objects("jwt")) {
            IssuerSettings issuer = issuer(jwt);
            if (issuers.stream().anyMatch(other -> other.url().equals(issuer.url()))) {
                throw jwt.error(
                        "issuer.url",
                        "\"%s\" is there twice; give each issuer once".formatted(issuer.url()));
            }
            issuers.add(issuer);
        }
        root.end();
        if (issuers.size() > MAX_ISSUERS) {
            throw root.error(
                    "jwt",
                    "has %d issuers, the limit is %d".formatted(issuers.size(), MAX_ISSUERS));
        }
        return List.copyOf(issuers);
    }

    private static void require(Fields root, String name, String expected) {
        String found = root.text(name);
        if (!found.equals(expected)) {
            throw root.error(name, "is \"%s\", expected \"%s\"".formatted(found, expected));
        }
    }

    private static IssuerSettings issuer(Fields jwt) {
        Fields issuer = jwt.requiredObject("issuer");
        String url = url(issuer, "url", issuer.required("url"));
        String discovery = issuer.text("discoveryURL");
        if (!discovery.isEmpty() && url(issuer, "discoveryURL", discovery).equals(url)) {
            throw issuer.error("discoveryURL", "is the url; leave it out");
        }
        String authority = issuer.text("certificateAuthority");
        if (!authority.isEmpty()) {
            requireCertificates(issuer, authority);
        }
        Set<String> audiences = audiences(issuer);
        issuer.refuse("egressSelectorType", "is not supported; leave it out");
        issuer.end();
        Map<String, String> requiredClaims = requiredClaims(jwt);
        Fields mappings = jwt.requiredObject("claimMappings");
        ClaimMapping username = mapping(mappings.requiredObject("username"));
        Optional<ClaimMapping> groups =
                mappings.object("groups").map(AuthenticationConfiguration::mapping);
        Optional<Fields> uid = mappings.object("uid");
        String uidClaim = uid.map(AuthenticationConfiguration::claim).orElse("");
        uid.ifPresent(Fields::end);
        mappings.refuse("extra", CEL);
        mappings.end();
        jwt.refuse("userValidationRules", CEL);
        jwt.end();
        return new IssuerSettings(
                url,
                discovery.isEmpty() ? withoutSlash(url) + WELL_KNOWN : discovery,
                authority,
                audiences,
                requiredClaims,
                username,
                groups.orElse(null),
                uidClaim);
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static String url(Fields issuer, String name, String text) {
        try {
            URI url = URI.create(text);
            if ("https".equals(url.getScheme())
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null) {
                return text;
            }
        } catch (IllegalArgumentException e) {
            // the same message as for other texts
        }
        throw issuer.error(
                name,
                "\"%s\": expected an https URL without user, query and fragment".formatted(text));
    }

    private static void requireCertificates(Fields issuer, String pem) {
        try {
            Authorities.read(pem);
        } catch (IllegalArgumentException e) {
            throw issuer.error("certificateAuthority", String.valueOf(e.getMessage()));
        }
    }

    private static Set<String> audiences(Fields issuer) {
        List<String> audiences = issuer.texts("audiences");
        String policy = issuer.text("audienceMatchPolicy");
        if (audiences.isEmpty()) {
            throw issuer.error("audiences", "is required, with at least one audience");
        }
        Set<String> different = new HashSet<>(audiences);
        if (different.size() < audiences.size()) {
            throw issuer.error("audiences", "has the same audience twice");
        }
        if (!policy.equals("MatchAny") && (!policy.isEmpty() || audiences.size() > 1)) {
            throw issuer.error("audienceMatchPolicy", "has to be MatchAny");
        }
        return different;
    }

    private static Map<String, String> requiredClaims(Fields jwt) {
        Map<String, String> required = new HashMap<>();
        for (Fields rule : jwt.objects("claimValidationRules")) {
            rule.refuse("expression", CEL);
            rule.refuse("message", CEL);
            String claim = rule.required("claim");
            if (required.put(claim, rule.text("requiredValue")) != null) {
                throw rule.error("claim", "\"%s\" has two rules".formatted(claim));
            }
            rule.end();
        }
        return required;
    }

    private static ClaimMapping mapping(Fields fields) {
        String claim = claim(fields);
        if (!fields.has("prefix")) {
            throw fields.error("prefix", "is required; \"\" is the prefix of names as they are");
        }
        String prefix = fields.text("prefix");
        if (ReservedNames.has(prefix)) {
            throw fields.error(
                    "prefix", "\"%s\" is reserved; choose another one".formatted(prefix));
        }
        fields.end();
        return new ClaimMapping(claim, prefix);
    }

    private static String claim(Fields fields) {
        fields.refuse("expression", CEL);
        return fields.required("claim");
    }
}
