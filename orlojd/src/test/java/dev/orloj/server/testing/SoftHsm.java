package dev.orloj.server.testing;

import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tokens of SoftHSM, a hardware security module in software, in a folder. A process reads them
 * when it uses the module first, so all of them are made before.
 */
public final class SoftHsm {

    /** The PIN of the user of all tokens. */
    public static final String PIN = "5678";

    private final Path folder;
    private final Path configuration;

    /** Makes a folder without tokens. */
    public SoftHsm(Path folder) {
        try {
            this.folder = folder.toAbsolutePath();
            FileSystemUtils.deleteRecursively(this.folder);
            Path tokens = Files.createDirectories(this.folder.resolve("tokens"));
            this.configuration =
                    Files.writeString(
                            this.folder.resolve("softhsm2.conf"),
                            "directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n"
                                    .formatted(tokens));
            Files.writeString(pin(), PIN + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path module() {
        return Stream.of(
                        "/usr/lib/softhsm/libsofthsm2.so",
                        "/usr/lib64/softhsm/libsofthsm2.so",
                        "/usr/lib/pkcs11/libsofthsm2.so")
                .map(Path::of)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    /** The value of SOFTHSM2_CONF for other processes. */
    public Path configuration() {
        return configuration;
    }

    /** The file with the PIN. */
    public Path pin() {
        return folder.resolve("pin");
    }

    public SoftHsm token(String label, String... keys) {
        run(
                List.of(
                        "softhsm2-util",
                        "--init-token",
                        "--free",
                        "--label",
                        label,
                        "--so-pin",
                        "1234",
                        "--pin",
                        PIN));
        for (String key : keys) {
            run(
                    List.of(
                            "pkcs11-tool",
                            "--module",
                            module().toString(),
                            "--token-label",
                            label,
                            "--login",
                            "--pin",
                            PIN,
                            "--keygen",
                            "--key-type",
                            "AES:32",
                            "--sensitive",
                            "--label",
                            key));
        }
        return this;
    }

    /** Has this process use the tokens. */
    public SoftHsm inThisProcess() {
        try (Arena arena = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            int result =
                    (int)
                            linker.downcallHandle(
                                            linker.defaultLookup().find("setenv").orElseThrow(),
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_INT,
                                                    ValueLayout.ADDRESS,
                                                    ValueLayout.ADDRESS,
                                                    ValueLayout.JAVA_INT))
                                    .invokeExact(
                                            arena.allocateFrom("SOFTHSM2_CONF"),
                                            arena.allocateFrom(configuration.toString()),
                                            1);
            if (result != 0) {
                throw new IllegalStateException("setenv failed");
            }
            return this;
        } catch (Throwable e) { // what a call of C declares
            throw new IllegalStateException(e);
        }
    }

    /** Ends all sessions of this process with a token, as if its device was pulled out. */
    public void endSessions(long slot) {
        try {
            Linker linker = Linker.nativeLinker();
            long result =
                    (long)
                            linker.downcallHandle(
                                            SymbolLookup.libraryLookup(module(), Arena.global())
                                                    .find("C_CloseAllSessions")
                                                    .orElseThrow(),
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG))
                                    .invokeExact(slot);
            if (result != 0) {
                throw new IllegalStateException("C_CloseAllSessions returned " + result);
            }
        } catch (Throwable e) { // what a call of C declares
            throw new IllegalStateException(e);
        }
    }

    public String uri(String token, String key) {
        return "pkcs11:token=%s;object=%s?module-path=%s&pin-source=%s"
                .formatted(token, key, module(), pin());
    }

    private void run(List<String> command) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(new ArrayList<>(command)).redirectErrorStream(true);
            builder.environment().put("SOFTHSM2_CONF", configuration.toString());
            Process process = builder.start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
