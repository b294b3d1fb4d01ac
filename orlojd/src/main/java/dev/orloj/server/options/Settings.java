package dev.orloj.server.options;

import static dev.orloj.server.options.Setting.flag;
import static dev.orloj.server.options.Setting.number;
import static dev.orloj.server.options.Setting.text;
import static dev.orloj.server.options.ValueCheck.NONE;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.server.options.Setting.Shape;
import dev.orloj.server.properties.HttpsProperties;
import dev.orloj.server.properties.ReplicaProperties;
import dev.orloj.server.properties.TelemetryProperties;

import java.time.Duration;
import java.util.List;

/** The options of orlojd that override a property, in the order of the help. */
final class Settings {

    static final Setting HOST =
            text("--host", "ADDRESS", "server.address", NONE)
                    .help("Address to listen on. Default: 127.0.0.1.");

    static final Setting INSECURE_REMOTE_ACCESS =
            flag("--insecure-remote-access", "orloj.security.insecure-remote-access")
                    .help(
                            "Listen with --port on an address that is not loopback, although"
                                    + " requests and tokens are not encrypted there.");

    private static final Setting INSECURE_ALLOW_ANONYMOUS =
            flag("--insecure-allow-anonymous", "orloj.security.insecure-allow-anonymous")
                    .help(
                            "Let every program of every user of this machine do everything through"
                                    + " --port, without a token.");

    private static final ValueCheck PORT =
            ValueCheck.number(0, 65_535, "%s %s is no TCP port; give one of 0 to 65535");
    private static final ValueCheck POSITIVE =
            ValueCheck.number(1, Integer.MAX_VALUE, "%s %s: give at least 1");
    private static final ValueCheck NOT_NEGATIVE =
            ValueCheck.number(0, Integer.MAX_VALUE, "%s %s: give 0 or more");
    private static final ValueCheck PERIOD = ValueCheck.duration(Duration.ofSeconds(1));
    private static final ValueCheck SIZE = ValueCheck.parsed(ByteSize::new);
    private static final ValueCheck CPUS = ValueCheck.parsed(CpuAmount::new);
    private static final ValueCheck REPLICA =
            ValueCheck.expect(
                    ReplicaProperties::isAdvertisable,
                    "an http or https URL such as http://10.0.0.5:8080, or none");
    private static final ValueCheck EXTERNAL_URL =
            ValueCheck.expect(
                    HttpsProperties::isExternalUrl,
                    "an https URL such as https://orloj.example.com:8443");
    private static final ValueCheck COLLECTOR =
            ValueCheck.expect(
                    TelemetryProperties::isCollector,
                    "an http or https URL such as http://localhost:4318");
    private static final ValueCheck ENGINE =
            ValueCheck.matching(
                    "unix:///.+|npipe:////.+|tcp://[^/]+.*",
                    "unix:///PATH/OF/SOCKET or tcp://HOST:PORT");

    static final List<Setting> ALL =
            List.of(
                    number("--port", "server.port", PORT)
                            .help("TCP port; 0 picks a free one. Default: 8080."),
                    HOST,
                    INSECURE_REMOTE_ACCESS,
                    INSECURE_ALLOW_ANONYMOUS,
                    number("--https-port", "orloj.https.port", PORT)
                            .help(
                                    "TCP port with TLS, for kubectl and for clients on other"
                                            + " machines; 0 picks a free one. The kubeconfig of its"
                                            + " administrator is in the data directory. Default:"
                                            + " 8443, or a free one if that is taken."),
                    text("--https-host", "ADDRESS", "orloj.https.address", NONE)
                            .help(
                                    "Address of that port; 127.0.0.1 if --https-port is not"
                                            + " given either. Default: 0.0.0.0."),
                    new Setting(
                            "--tls-san",
                            Shape.LIST,
                            "NAME",
                            "orloj.https.san",
                            NONE,
                            "A further host name or IP address for the certificate that orlojd"
                                    + " issues for that port; may be given several times. Default:"
                                    + " those of this machine."),
                    text(
                                    "--tls-cert-file",
                                    "FILE",
                                    "orloj.https.certificate-file",
                                    ValueCheck.READABLE)
                            .help(
                                    "PEM with your own certificate for that port, and those of its"
                                            + " issuers; read again when it changes."),
                    text(
                                    "--tls-private-key-file",
                                    "FILE",
                                    "orloj.https.private-key-file",
                                    ValueCheck.READABLE)
                            .help("PEM with the key of that certificate."),
                    text(
                                    "--client-ca-file",
                                    "FILE",
                                    "orloj.https.client-ca-file",
                                    ValueCheck.READABLE)
                            .help(
                                    "PEM with further authorities whose certificates identify"
                                            + " users: CN is the name, each O a group."),
                    text(
                                    "--authentication-config",
                                    "FILE",
                                    "orloj.authentication.config-file",
                                    ValueCheck.READABLE)
                            .help(
                                    "AuthenticationConfiguration of Kubernetes, without CEL, with"
                                            + " the issuers whose tokens (OpenID Connect, JWT)"
                                            + " identify users; read again when it changes."),
                    new Setting(
                            "--mcp-required-scope",
                            Shape.LIST,
                            "SCOPE",
                            "orloj.authentication.required-scopes",
                            ValueCheck.SCOPES,
                            "What a token of these issuers has to permit for the MCP endpoints; may"
                                    + " be given several times. Default: nothing."),
                    text("--external-url", "URL", "orloj.https.external-url", EXTERNAL_URL)
                            .help(
                                    "Where clients reach that port, if not at its address: the"
                                            + " server of the kubeconfig, and what MCP clients"
                                            + " ask tokens for."),
                    text("--advertise-url", "URL", "orloj.replica.advertise-url", REPLICA)
                            .help(
                                    "Where other replicas reach this one, such as"
                                            + " http://10.0.0.5:8080, or none. Default: the address"
                                            + " that it listens on."),
                    flag("--expose-sse", "orloj.mcp.expose-sse")
                            .help(
                                    "Serve every MCP endpoint over HTTP+SSE, too, for agents that"
                                            + " know nothing newer than 2024-11-05."),
                    text("--data-dir", "DIR", "orloj.data-dir", NONE)
                            .help("Where orlojd keeps its files. Default: ~/.local/share/orloj."),
                    text("--database-url", "URL", "orloj.database.url", ValueCheck.DATABASE)
                            .help(
                                    "JDBC URL of a PostgreSQL to use, such as"
                                            + " jdbc:postgresql://db/orloj."),
                    text("--database-user", "NAME", "orloj.database.user", NONE)
                            .help("User of that database."),
                    text(
                                    "--database-password-file",
                                    "FILE",
                                    "orloj.database.password-file",
                                    ValueCheck.READABLE)
                            .help("File whose content is that user's password."),
                    text("--secret-key-file", "FILE", "orloj.secrets.key-file", ValueCheck.READABLE)
                            .help(
                                    "File with the base64 key (32 bytes) that Secrets are encrypted"
                                            + " with. Default: made in the data directory on the"
                                            + " first start."),
                    new Setting(
                            "--secret-key-pkcs11",
                            Shape.REPEATED,
                            "URI",
                            "orloj.secrets.pkcs11",
                            NONE,
                            "AES key of a hardware security module that protects the keys of"
                                + " Secrets, instead of that file:"
                                + " pkcs11:token=TOKEN;object=KEY?module-path=/PATH/MODULE.so&pin-source=/PATH/PIN;"
                                + " may be given several times, the key for new wraps first."),
                    new Setting(
                            "--secret-dir",
                            Shape.REPEATED,
                            "[NAMESPACE=]FOLDER",
                            "orloj.secrets.directory",
                            NONE,
                            "Folder with Secrets as files, FOLDER/NAME or FOLDER/NAME/KEY, for"
                                    + " references to Secrets that do not exist; read again when"
                                    + " they change; may be given several times."),
                    text("--resync-period", "DURATION", "orloj.controllers.resync-period", PERIOD)
                            .help(
                                    "How often the tools of connected servers are listed again."
                                            + " Default: 5m."),
                    text("--event-ttl", "DURATION", "orloj.controllers.event-ttl", PERIOD)
                            .help("How long an event is kept after it last happened. Default: 1h."),
                    text(
                                    "--log-level",
                                    "LEVEL",
                                    "logging.level.dev.orloj",
                                    ValueCheck.oneOf("error", "warn", "info", "debug"))
                            .help("error, warn, info or debug. Default: info."),
                    text(
                                    "--log-format",
                                    "FORMAT",
                                    "logging.structured.format.console",
                                    ValueCheck.LOG_FORMAT)
                            .help(
                                    "text, or json: one object a line, with ECS names. Default:"
                                            + " text."),
                    text("--otlp-endpoint", "URL", TelemetryProperties.OTLP_ENDPOINT, COLLECTOR)
                            .help(
                                    "Collector of OpenTelemetry for traces and metrics, over HTTP,"
                                            + " such as http://localhost:4318. Default: none."),
                    text(
                                    "--audit-level",
                                    "LEVEL",
                                    "orloj.audit.level",
                                    ValueCheck.oneOf("none", "metadata"))
                            .help(
                                    "What the audit log has of each write and call: none or"
                                            + " metadata. Default: metadata."),
                    text(
                                    "--audit-failure-policy",
                                    "POLICY",
                                    "orloj.audit.failure-policy",
                                    ValueCheck.oneOf("ignore", "fail"))
                            .help(
                                    "What happens while it cannot be written: ignore, which counts"
                                            + " the events that are lost, or fail, which refuses"
                                            + " writes and calls. Default: ignore."),
                    text("--audit-max-age", "DURATION", "orloj.audit.max-age", PERIOD)
                            .help("How long an event of it is kept. Default: 720h."),
                    number("--audit-max-events", "orloj.audit.max-events", POSITIVE)
                            .help("How many events of it are kept. Default: 1000000."),
                    number("--max-processes", "orloj.processes.max", NOT_NEGATIVE)
                            .help(
                                    "How many processes of servers may run at a time; idle ones"
                                            + " make room. Default: any number."),
                    text("--max-process-memory", "SIZE", "orloj.processes.max-memory", SIZE)
                            .help(
                                    "Start no process of a server while all take more than this,"
                                            + " such as 2g; idle ones make room. Default: any"
                                            + " amount."),
                    new Setting(
                            "--process-user",
                            Shape.REPEATED,
                            "[NAMESPACE=]USER",
                            "orloj.processes.user",
                            ValueCheck.PROCESS_USERS,
                            "Run the programs of stdio servers as this user of the machine, in its"
                                    + " home and with no way to the rights of orlojd, which has to"
                                    + " run as root; may be given several times. Default: that of"
                                    + " orlojd."),
                    text(
                                    "--shutdown-call-grace",
                                    "DURATION",
                                    "orloj.shutdown.call-grace",
                                    ValueCheck.duration(Duration.ZERO))
                            .help(
                                    "How long calls may go on when orlojd stops; 0 for none."
                                            + " Default: 4s."),
                    text(
                                    "--shutdown-delay",
                                    "DURATION",
                                    "orloj.shutdown.delay",
                                    ValueCheck.duration(Duration.ZERO))
                            .help(
                                    "How long requests are answered after SIGTERM, while /readyz"
                                            + " answers 503 and clients are moved to other"
                                            + " connections. Default: 0s."),
                    addresses("--endpoint-deny", "orloj.endpoints.deny")
                            .help(
                                    "Where endpoints of servers may not lead, beside link-local"
                                            + " addresses and the metadata services of clouds: an"
                                            + " address, a network such as 10.0.0.0/8, private or"
                                            + " loopback; may be given several times. Default:"
                                            + " none."),
                    addresses("--endpoint-allow", "orloj.endpoints.allow")
                            .help(
                                    "Exceptions to the denied addresses, in the same form."
                                            + " Default: none."),
                    container(
                                    "--container-engine",
                                    "ENGINE",
                                    "engine",
                                    ValueCheck.oneOf("auto", "container", "pod"))
                            .help(
                                    "What runs servers with an image and Sandboxes: container"
                                        + " (Docker or Podman), pod (Kubernetes), or auto: pod if"
                                        + " orlojd has a service account of a cluster. Default:"
                                        + " auto."),
                    text("--pod-namespace", "NAME", "orloj.pods.namespace", NONE)
                            .help(
                                    "Namespace of the cluster for the Pods of servers. Default:"
                                            + " that of orlojd."),
                    text("--pod-owner", "NAME", "orloj.pods.owner", NONE)
                            .help(
                                    "ConfigMap of that namespace that owns the Pods of servers: the"
                                            + " cluster deletes them with it. Default: none."),
                    flag("--pod-adoption", "orloj.pods.adoption")
                            .help(
                                    "Keep the Pods of servers whose clients share one session"
                                            + " running when orlojd stops, for the next orlojd;"
                                            + " needs --pod-owner. Default: off."),
                    new Setting(
                            "--pod-metadata-key",
                            Shape.REPEATED,
                            "KEY",
                            "orloj.pods.metadata-keys",
                            ValueCheck.METADATA_KEYS,
                            "The key of a label or an annotation that manifests may give to Pods,"
                                    + " or DOMAIN/* for all of a domain; may be given several"
                                    + " times. Default: none."),
                    container("--container-host", "URL", "host", ENGINE)
                            .help(
                                    "The Docker engine, or Podman, such as"
                                            + " unix:///run/docker.sock. Default: DOCKER_HOST, or"
                                            + " that socket."),
                    container(
                                    "--sandbox-policy",
                                    "LEVEL",
                                    "policy",
                                    ValueCheck.oneOf("restricted", "baseline", "privileged"))
                            .help(
                                    "What manifests may give up of their sandbox: restricted,"
                                            + " baseline or privileged. Default: baseline."),
                    new Setting(
                            "--sandbox-mount-root",
                            Shape.REPEATED,
                            "FOLDER",
                            "orloj.containers.mount-roots",
                            ValueCheck.FOLDERS,
                            "A folder of this host below which Sandboxes may mount folders; may be"
                                    + " given several times. Default: none."),
                    container("--tool-container-memory", "SIZE", "memory", SIZE)
                            .help("Memory of a container that asks for nothing. Default: 128m."),
                    container("--tool-container-cpus", "N", "cpus", CPUS)
                            .help(
                                    "Processors of a container that asks for nothing. Default:"
                                            + " 0.50."),
                    number("--tool-container-pids-limit", "orloj.containers.pids-limit", POSITIVE)
                            .help("Processes of a container that asks for nothing. Default: 64."),
                    container(
                                    "--tool-container-network",
                                    "MODE",
                                    "network",
                                    ValueCheck.oneOf("none", "isolated", "bridge"))
                            .help(
                                    "Network of a container that asks for nothing: none, isolated"
                                            + " or bridge. Default: isolated."),
                    container(
                                    "--tool-container-user",
                                    "UID[:GID]",
                                    "user",
                                    ValueCheck.matching(
                                            "\\d{1,10}(:\\d{1,10})?", "a uid, or uid:gid"))
                            .help(
                                    "User of a container that asks for nothing. Default: the one of"
                                            + " the image, or 65532 if that is root."),
                    container("--tool-container-runtime", "NAME", "runtime", NONE)
                            .help(
                                    "OCI runtime of containers, such as runsc. Default: the"
                                            + " engine's."),
                    container("--tool-container-max-memory", "SIZE", "max-memory", SIZE)
                            .help("The most memory that a manifest may ask for. Default: any."),
                    container("--tool-container-max-cpus", "N", "max-cpus", CPUS)
                            .help("The most processors that a manifest may ask for. Default: any."),
                    number(
                                    "--tool-container-max-pids-limit",
                                    "orloj.containers.max-pids-limit",
                                    POSITIVE)
                            .help("The most processes that a manifest may ask for. Default: any."));

    private Settings() {}

    private static Setting addresses(String option, String property) {
        return new Setting(option, Shape.LIST, "ADDRESS", property, ValueCheck.ADDRESSES, "");
    }

    private static Setting container(
            String option, String label, String property, ValueCheck check) {
        return text(option, label, "orloj.containers." + property, check);
    }
}
