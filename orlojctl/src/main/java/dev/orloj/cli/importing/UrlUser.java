package dev.orloj.cli.importing;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The user and password of a URL, which belong into a header.
 *
 * @param url the URL without them
 */
record UrlUser(String url, ImportedSetting header) {

    static Optional<UrlUser> in(String url) {
        try {
            URI uri = new URI(url);
            if (uri.getRawUserInfo() == null) {
                return Optional.empty();
            }
            String basic =
                    Base64.getEncoder()
                            .encodeToString(uri.getUserInfo().getBytes(StandardCharsets.UTF_8));
            return Optional.of(
                    new UrlUser(
                            url.replaceFirst("//[^/@]*@", "//"),
                            new ImportedSetting.Confidential("Authorization", "Basic " + basic)));
        } catch (URISyntaxException e) {
            return Optional.empty(); // the server refuses it, with its reason
        }
    }
}
