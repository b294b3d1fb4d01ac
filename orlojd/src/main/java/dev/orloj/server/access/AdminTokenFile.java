package dev.orloj.server.access;

import dev.orloj.server.certificate.PrivateFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The token of the owner, which only the owner of the file can read. */
final class AdminTokenFile {

    private static final int BYTES = 32;

    private AdminTokenFile() {}

    /** Reads the token, and creates it when there is none. A restart after a deletion renews it. */
    static String read(Path file) throws IOException {
        if (Files.exists(file)) {
            String token = Files.readString(file).strip();
            if (token.length() >= BYTES) {
                return token;
            }
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = "orloj_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        PrivateFiles.write(file, token + "\n");
        return token;
    }
}
