package dev.orloj.cli.config;

import dev.orloj.api.certificate.Fingerprint;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.tls.PresentedChain;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** Adds a context for an orlojd on another machine, whose authority a person has compared. */
final class ImportContextCommand extends KubeconfigCommand {

    private static final int MAX_TOKEN_BYTES = 64 * 1024;

    private final TextsOption arguments =
            arguments("1", "HOST", "HOST, HOST:PORT or an https URL. Default port: 8443.");
    private final TextOption fingerprint =
            text(
                    "sha256:...",
                    "Fingerprint of its authority. Without it, orlojctl asks.",
                    "--fingerprint");
    private final TextOption tokenFile =
            text("FILE", "File with your token; - is standard input.", "--token-file");
    private final TextOption name =
            text("NAME", "Name of the context. Default: the host.", "--name");
    private final Flag use = flag("Make it the current context.", "--use-context");
    private final Flag overwrite =
            flag("Replace a context of this name, and its user.", "--overwrite");

    ImportContextCommand() {
        super(
                "Add a context for an orlojd on another machine; -n names its namespace.",
                "orlojctl config import orloj.example.com",
                "orlojctl config import orloj.example.com --fingerprint sha256:... --token-file"
                        + " token");
    }

    @Override
    int run(Context context, Kubeconfig known) {
        RemoteServer server = RemoteServer.parse(arguments.get().getFirst());
        Optional<Fingerprint> expected = expected();
        Optional<String> token = tokenFile.get().map(file -> token(context.console(), file));
        PresentedChain chain = server.presented();
        X509Certificate authority = authority(context, server, chain, expected);
        server.verify(chain, authority);
        ImportedContext imported =
                new ImportedContext(
                        name.orElse(server.host()),
                        server.url(),
                        authority == null ? "" : PresentedChain.pem(authority));
        // Read again: others may have changed it while a person compared.
        Kubeconfig config = context.kubeconfig();
        KubeconfigFile file = imported.put(config, overwrite.isSet());
        imported.putAccess(file, token, context.namedNamespace());
        KubeconfigFile current = use.isSet() ? makeCurrent(config, imported.name()) : file;
        save(file);
        if (!current.path().equals(file.path())) {
            save(current);
        }
        report(context, imported, file, token.isPresent());
        return ExitCode.OK;
    }

    private Optional<Fingerprint> expected() {
        try {
            return fingerprint.get().map(Fingerprint::parse);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--fingerprint: " + e.getMessage());
        }
    }

    /** Returns the authority to trust; null for those of the system. */
    private @Nullable X509Certificate authority(
            Context context,
            RemoteServer server,
            PresentedChain chain,
            Optional<Fingerprint> expected) {
        if (expected.isEmpty() && server.isTrustedBySystem(chain)) {
            return null;
        }
        X509Certificate authority =
                chain.authority()
                        .orElseThrow(
                                () ->
                                        new CommandException(
                                                "%s does not send the certificate of its authority (%s); add it with: orlojctl config set-cluster --certificate-authority FILE"
                                                        .formatted(server, chain.issuer())));
        Fingerprint found = Fingerprint.of(authority);
        if (expected.isEmpty()) {
            confirm(context, server, authority, found);
        } else if (!expected.get().equals(found)) {
            throw new CommandException(
                    "%s has another authority: its fingerprint is %s and not %s; another server may answer in its place; nothing was written"
                            .formatted(server, found, expected.get()));
        }
        return authority;
    }

    private void confirm(
            Context context, RemoteServer server, X509Certificate authority, Fingerprint found) {
        context.err().println("Authority of " + server + ":");
        context.err().println("  subject      " + authority.getSubjectX500Principal());
        context.err().println("  expires      " + authority.getNotAfter().toInstant());
        context.err().println("  fingerprint  " + found);
        context.err()
                .println(
                        "Compare it with the one in the log of orlojd there"
                                + " (authority=sha256:...).");
        if (!context.console().isInteractive() || tokenFile.orElse("").equals("-")) {
            throw new UsageException(
                    "there is no terminal to ask in: give --fingerprint "
                            + found
                            + " if the owner of that machine sees the same");
        }
        String answer = context.console().ask("Is it the same? [y/N] ").orElse("");
        if (!answer.equalsIgnoreCase("y") && !answer.equalsIgnoreCase("yes")) {
            throw new CommandException("nothing was written");
        }
    }

    private static String token(Console console, String file) {
        try (InputStream in =
                file.equals("-") ? console.in() : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(MAX_TOKEN_BYTES + 1);
            String token = new String(bytes, StandardCharsets.UTF_8).strip();
            if (bytes.length > MAX_TOKEN_BYTES || !token.matches("[!-~]+")) {
                throw new CommandException("there is no token in \"%s\"".formatted(file));
            }
            return token;
        } catch (IOException | InvalidPathException e) {
            String why = e instanceof IOException io ? FileErrors.reason(io) : e.getMessage();
            throw new CommandException("cannot read \"%s\": %s".formatted(file, why));
        }
    }

    private void report(
            Context context, ImportedContext imported, KubeconfigFile file, boolean hasToken) {
        context.out().print("Context \"%s\" set in %s.\n".formatted(imported.name(), file.path()));
        if (!hasToken && !imported.hasCredential(file)) {
            context.out()
                    .print(
                            "It has no token. Create one on the other machine with \"orlojctl"
                                    + " create token --user USER\", and import again with"
                                    + " --token-file.\n");
        }
        if (use.isSet()) {
            context.out().print("Switched to context \"%s\".\n".formatted(imported.name()));
        } else {
            context.out()
                    .print(
                            "Use it with: orlojctl config use-context %s\n"
                                    .formatted(imported.name()));
        }
    }
}
