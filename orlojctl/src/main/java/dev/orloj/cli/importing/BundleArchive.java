package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** An MCPB bundle: a zip file with a manifest and programs. */
public final class BundleArchive {

    static final int MAX_ENTRIES = 20_000;
    static final long MAX_TOTAL = 512L * 1024 * 1024;
    private static final int MAX_MANIFEST = 1024 * 1024;
    private static final String MANIFEST = "manifest.json";

    private final Path file;

    public BundleArchive(Path file) {
        this.file = file;
    }

    /** Returns whether a file is a bundle by its name. */
    public static boolean isBundle(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".mcpb") || name.endsWith(".dxt");
    }

    /**
     * Returns the manifest, as it is in the folder of the bundle.
     *
     * @param bundles where each bundle has a folder of its own
     * @param isUnpacked whether to put the programs there
     * @throws ClientFileException when it is no bundle, or too large
     */
    public ClientFile open(Path bundles, boolean isUnpacked) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry entry = zip.getEntry(MANIFEST);
            if (entry == null) {
                throw broken("it has no manifest.json");
            }
            byte[] bytes;
            try (InputStream in = zip.getInputStream(entry)) {
                bytes = in.readNBytes(MAX_MANIFEST + 1);
            }
            if (bytes.length > MAX_MANIFEST) {
                throw broken("its manifest.json has more than %d bytes".formatted(MAX_MANIFEST));
            }
            ClientFile manifest =
                    ClientFile.of(
                            file + "/manifest.json", Optional.empty(), Optional.empty(), bytes);
            Path folder = bundles.resolve(folderName(manifest)).toAbsolutePath();
            if (isUnpacked) {
                unpack(zip, folder);
            }
            return new ClientFile(
                    file.toString(),
                    Optional.of(folder.resolve(MANIFEST)),
                    Optional.empty(),
                    manifest.syntax(),
                    manifest.text(),
                    manifest.root());
        } catch (IOException e) {
            throw broken(String.valueOf(e.getMessage()));
        }
    }

    private ClientFileException broken(String why) {
        return new ClientFileException(
                "%s is no bundle that can be imported: %s".formatted(file, why));
    }

    private static String folderName(ClientFile manifest) {
        String name = manifest.root().path("name").asString("bundle");
        String version = manifest.root().path("version").asString("0");
        return (name + "-" + version).replaceAll("[^A-Za-z0-9.-]+", "-").replaceAll("^[.-]+", "");
    }

    private void unpack(ZipFile zip, Path folder) throws IOException {
        if (zip.size() > MAX_ENTRIES) {
            throw broken(
                    "it has %d files; at most %d are unpacked".formatted(zip.size(), MAX_ENTRIES));
        }
        long left = MAX_TOTAL;
        for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
            Path target = target(folder, entry.getName());
            if (entry.isDirectory()) {
                Files.createDirectories(target);
                continue;
            }
            Files.createDirectories(target.getParent());
            try (InputStream in = zip.getInputStream(entry)) {
                left -= copy(in, target, left);
            }
            makeExecutable(target);
        }
    }

    private Path target(Path folder, String name) {
        try {
            Path target = folder.resolve(name).normalize();
            if (!target.startsWith(folder) || target.equals(folder) || name.contains("\\")) {
                throw broken("its file \"%s\" would be outside of its folder".formatted(name));
            }
            return target;
        } catch (InvalidPathException e) {
            throw broken("\"%s\" is no name of a file".formatted(name));
        }
    }

    private long copy(InputStream in, Path target, long left) throws IOException {
        byte[] buffer = new byte[65_536];
        long total = 0;
        try (OutputStream out = Files.newOutputStream(target)) {
            int length = in.read(buffer);
            while (length >= 0) {
                total += length;
                if (total > left) {
                    throw broken("it has more than %d bytes unpacked".formatted(MAX_TOTAL));
                }
                out.write(buffer, 0, length);
                length = in.read(buffer);
            }
        } catch (FileSystemException e) {
            throw broken("cannot write \"%s\"".formatted(target));
        }
        return total;
    }

    /** The zip files of bundles do not say which files are programs. */
    private static void makeExecutable(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(4);
            boolean isScript = start.length > 1 && start[0] == '#' && start[1] == '!';
            boolean isProgram = start.length == 4 && start[0] == 0x7f && start[1] == 'E';
            if ((isScript || isProgram) && !file.toFile().setExecutable(true)) {
                throw new IOException("cannot make \"%s\" executable".formatted(file));
            }
        }
    }
}
