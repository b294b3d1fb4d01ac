package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/**
 * Settings of this replica that concern the replicas with which it shares a database.
 *
 * @param advertiseUrl the address at which they reach it; empty to derive it from the listen
 *     address, {@code none} for unreachable
 */
@ConfigurationProperties("orloj.replica")
public record ReplicaProperties(@DefaultValue("") String advertiseUrl) {

    public static final String NOWHERE = "none";

    public ReplicaProperties {
        if (!advertiseUrl.isEmpty() && !isAdvertisable(advertiseUrl)) {
            throw new IllegalArgumentException(
                    "orloj.replica.advertise-url is \"%s\"; give an http or https URL such as http://10.0.0.5:8080, or none"
                            .formatted(advertiseUrl));
        }
    }

    /** Returns whether the text is valid as the address of a replica. */
    public static boolean isAdvertisable(String text) {
        try {
            URI uri = new URI(text);
            return text.equals(NOWHERE)
                    || uri.getHost() != null && List.of("http", "https").contains(uri.getScheme());
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
