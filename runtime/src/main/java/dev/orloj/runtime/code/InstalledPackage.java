package dev.orloj.runtime.code;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.api.signature.Sha256;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * A package that a command such as {@code npx} or {@code uvx} has installed.
 *
 * @param integrity of its content; empty if it is not known
 */
record InstalledPackage(String name, String version, String integrity) {

    private static final int MAX_FILE = 32 * 1024 * 1024;
    private static final String MODULES = "node_modules";

    /**
     * Finds a package of npm or Python above one of the files that its processes name.
     *
     * @param files absolute
     */
    static Optional<InstalledPackage> find(String name, Collection<Path> files) {
        for (Path file : files) {
            Optional<InstalledPackage> found = ofNpm(name, file).or(() -> ofPython(name, file));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    RunningCode addTo(RunningCode code) {
        return code.with(RunningCode.PACKAGE, "name", name)
                .with(RunningCode.PACKAGE, "version", version)
                .with(RunningCode.PACKAGE, "integrity", integrity);
    }

    private static Optional<InstalledPackage> ofNpm(String name, Path file) {
        for (Path folder = file; folder != null; folder = folder.getParent()) {
            if (folder.endsWith(MODULES) && isInside(folder, name)) {
                JsonNode manifest = json(folder.resolve(name).resolve("package.json"));
                String version = manifest.path("version").asString("");
                if (!version.isEmpty()) {
                    return Optional.of(
                            new InstalledPackage(name, version, npmIntegrity(folder, name)));
                }
            }
        }
        return Optional.empty();
    }

    /** A name comes from the manifest, which must not make Orloj read files elsewhere. */
    private static boolean isInside(Path folder, String name) {
        return name.matches("(@[\\w.~-]+/)?[\\w~-][\\w.~-]*")
                && folder.resolve(name).normalize().startsWith(folder);
    }

    /** What npm has checked what it downloaded against. */
    private static String npmIntegrity(Path modules, String name) {
        return json(modules.resolve(".package-lock.json"))
                .path("packages")
                .path(MODULES + "/" + name)
                .path("integrity")
                .asString("");
    }

    private static JsonNode json(Path file) {
        try {
            return Json.MAPPER.readTree(text(file));
        } catch (IOException | JacksonException e) {
            return Json.MAPPER.missingNode(); // not installed in this way
        }
    }

    private static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MAX_FILE + 1);
            if (content.length > MAX_FILE) {
                throw new IOException("longer than " + MAX_FILE + " bytes");
            }
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    /** Of a script or an interpreter in the {@code bin} of a virtual environment. */
    private static Optional<InstalledPackage> ofPython(String name, Path file) {
        Path bin = file.getParent();
        Path environment = bin != null && bin.endsWith("bin") ? bin.getParent() : null;
        if (environment == null) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> libraries =
                Files.newDirectoryStream(environment.resolve("lib"), "python*")) {
            for (Path library : libraries) {
                Optional<InstalledPackage> found = in(library.resolve("site-packages"), name);
                if (found.isPresent()) {
                    return found;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return Optional.empty(); // no such environment
        }
        return Optional.empty();
    }

    private static Optional<InstalledPackage> in(Path packages, String name) throws IOException {
        try (DirectoryStream<Path> infos = Files.newDirectoryStream(packages, "*.dist-info")) {
            for (Path info : infos) {
                String stem = info.getFileName().toString().replace(".dist-info", "");
                int cut = stem.lastIndexOf('-');
                if (cut > 0 && normalized(stem.substring(0, cut)).equals(normalized(name))) {
                    return Optional.of(
                            new InstalledPackage(name, stem.substring(cut + 1), record(info)));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Names are the same if they differ in case, dots, dashes, underscores and extras (PEP 503).
     */
    private static String normalized(String name) {
        return name.replaceFirst("\\[.*", "").replaceAll("[._-]+", "_").toLowerCase(Locale.ROOT);
    }

    /**
     * The RECORD of a package has the digests of its files. What differs from one environment to
     * another is left out: the scripts, and the notes of the installer.
     */
    private static String record(Path info) throws IOException {
        MessageDigest digest = Sha256.begin();
        text(info.resolve("RECORD"))
                .lines()
                .filter(line -> !line.startsWith("../") && !line.contains(".dist-info/"))
                .filter(line -> !line.contains("__pycache__"))
                .sorted()
                .forEach(line -> digest.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
        return FileDigest.text(digest);
    }
}
