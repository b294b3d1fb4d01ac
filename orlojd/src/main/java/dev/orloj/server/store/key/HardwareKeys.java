package dev.orloj.server.store.key;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Keys in hardware security modules, and then those of another place, which only unwrap what they
 * wrapped before.
 *
 * @param keys the one for new wraps first
 */
record HardwareKeys(List<Pkcs11Key> keys, KeySource others) implements KeySource {

    static final int MAX_KEYS = 16;

    /** How long after a failure a module is left alone. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** How long a module may take for an answer. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    static HardwareKeys of(List<String> uris, KeySource others) {
        if (uris.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "at most %d keys of hardware security modules can be given"
                            .formatted(MAX_KEYS));
        }
        Map<Path, Pkcs11Module> modules = new HashMap<>();
        return new HardwareKeys(uris.stream().map(uri -> key(uri, modules)).toList(), others);
    }

    private static Pkcs11Key key(String text, Map<Path, Pkcs11Module> modules) {
        try {
            Pkcs11Uri uri = Pkcs11Uri.parse(text);
            Pkcs11Module module =
                    modules.computeIfAbsent(
                            uri.module(), library -> new Pkcs11Module(library, LIMIT));
            return new Pkcs11Key(uri, module, PAUSE);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "orloj.secrets.pkcs11 (--secret-key-pkcs11): " + e.getMessage(), e);
        }
    }

    @Override
    public List<KeyEncryptionKey> load() throws IOException {
        List<KeyEncryptionKey> all = new ArrayList<>(keys);
        all.addAll(others.load());
        return all;
    }

    /** The operator makes the key in the module. */
    @Override
    public KeyEncryptionKey create() {
        return keys.getFirst();
    }

    @Override
    public List<Path> files() {
        List<Path> files = new ArrayList<>(others.files());
        keys.forEach(key -> files.add(key.pinSource()));
        return files;
    }

    @Override
    public String description() {
        return keys.stream().map(key -> "\"" + key.id() + "\" or ").collect(Collectors.joining())
                + others.description();
    }

    @Override
    public KeySource local() {
        return others;
    }

    @Override
    public Optional<String> problem(String id) {
        return keys.stream()
                .filter(key -> key.id().equals(id))
                .flatMap(key -> key.problem().stream())
                .findFirst();
    }
}
