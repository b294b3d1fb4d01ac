package dev.orloj.runtime.code;

import dev.orloj.api.ledger.CommandLine;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds what runs in a session. What cannot be found is left out. */
public final class CodeInspection {

    private CodeInspection() {}

    /** Returns what the manifest names, without looking at what runs. */
    public static String named(ServerAddress address) {
        return switch (address) {
            case ServerAddress.Stdio stdio -> CommandLine.named(stdio.command());
            case ServerAddress.Container container -> image(container.spec());
            case ServerAddress.Pod pod -> image(pod.spec());
            case ServerAddress.Exec exec ->
                    container(exec.target()) + ": " + CommandLine.named(exec.command());
            case ServerAddress.Http http -> origin(http.endpoint());
            case ServerAddress.Sse sse -> origin(sse.stream().endpoint());
        };
    }

    private static String image(ContainerSpec spec) {
        return "image " + spec.image().name();
    }

    private static String container(ExecTarget target) {
        return switch (target) {
            case ExecTarget.Managed managed -> image(managed.container());
            case ExecTarget.Borrowed(String container) -> "container " + container;
        };
    }

    private static String origin(URI endpoint) {
        return (endpoint.getScheme()
                        + "://"
                        + endpoint.getHost()
                        + (endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort()))
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Looks at the process, the container or the endpoint of a session. Reads files of this host.
     *
     * @param transport has answered the first request
     */
    public static RunningCode of(ServerAddress address, Transport transport) {
        RunningCode code = RunningCode.named(named(address));
        return switch (address) {
            case ServerAddress.Stdio stdio ->
                    transport.pid().map(pid -> ofProcess(code, stdio, pid)).orElse(code);
            case ServerAddress.Container _, ServerAddress.Pod _, ServerAddress.Exec _ ->
                    transport
                            .container()
                            .map(it -> code.with(RunningCode.IMAGE, "digest", it.image()))
                            .orElse(code);
            case ServerAddress.Http _, ServerAddress.Sse _ ->
                    transport
                            .certificate()
                            .map(CertificateIssuer::of)
                            .map(issuer -> code.with(RunningCode.CERTIFICATE, "issuer", issuer))
                            .orElse(code);
        };
    }

    /**
     * Has a session end before it sends a request to a server whose certificate another
     * organization has issued than the present one.
     */
    public static void keepIssuer(Transport transport) {
        transport
                .certificate()
                .map(CertificateIssuer::of)
                .ifPresent(
                        issuer ->
                                transport.requireCertificate(
                                        next -> CertificateIssuer.of(next).equals(issuer)));
    }

    private static RunningCode ofProcess(RunningCode code, ServerAddress.Stdio stdio, long pid) {
        List<String> command = stdio.command();
        CommandLine line = CommandLine.of(command);
        Optional<String> name = line.packageName();
        if (name.isPresent()) {
            return InstalledPackage.find(name.get(), ProcessFiles.namedBy(pid))
                    .map(found -> found.addTo(code))
                    .orElse(code);
        }
        return line.program()
                .flatMap(program -> ProcessFiles.find(program, pid, command.getFirst()))
                .flatMap(FileDigest::of)
                .map(digest -> code.with(RunningCode.PROGRAM, "digest", digest))
                .orElse(code);
    }
}
