package dev.orloj.api.report;

import static dev.orloj.api.report.Severity.ERROR;
import static dev.orloj.api.report.Severity.NOTE;
import static dev.orloj.api.report.Severity.WARNING;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The checks. Their ids are stable: files of CI name them. */
public enum Check {
    MANIFEST_INVALID(ERROR, "The manifest is accepted by orlojd.", "Correct the field."),
    UNKNOWN_FIELD(
            WARNING,
            "The manifest has only known fields.",
            "Correct the name of the field, or remove it."),
    NOT_ACCEPTED(ERROR, "orlojd can act on the manifest.", "Change what the message names."),
    SECRET_NOT_FOUND(
            ERROR,
            "Every Secret that the manifest names exists.",
            "Create the Secret, or add its manifest to the files that are checked."),
    SECRET_KEY_NOT_FOUND(
            ERROR,
            "Every Secret has the key that the manifest names.",
            "Add the key to the Secret, or refer to another."),
    SECRET_NOT_USABLE(
            ERROR, "The values of Secrets fit their places.", "Correct the value of the Secret."),
    CONFIG_MAP_NOT_FOUND(
            ERROR,
            "Every ConfigMap that the manifest names exists.",
            "Create the ConfigMap, or add its manifest to the files that are checked."),
    SANDBOX_NOT_FOUND(
            ERROR, "The Sandbox that the manifest names exists.", "Apply the Sandbox first."),
    ENVIRONMENT_NAME_INVALID(
            WARNING,
            "The keys of envFrom are names of environment variables.",
            "Rename the key, or name the variable in spec.env."),
    DISCOURAGED(
            NOTE, "The manifest uses nothing that is discouraged.", "Use what the message names."),
    CEILING_EXCEEDED(
            WARNING,
            "The limits of the manifest are within the ceilings of orlojd.",
            "Lower the field, or have the operator of orlojd raise its ceiling."),
    LIMIT_REACHED(
            ERROR,
            "orlojd has room for the process of the server.",
            "Stop other servers, or have the operator of orlojd raise the ceiling."),
    COMMAND_NOT_FOUND(
            ERROR,
            "The command is on the PATH of the host of orlojd.",
            "Install the command there, give its absolute path, or set PATH in env."),
    IMAGE_NOT_AVAILABLE(
            ERROR,
            "The image is present on the host of orlojd, or can be pulled.",
            "Correct spec.image, pull or build the image, or set imagePullSecret."),
    ENDPOINT_UNREACHABLE(
            ERROR,
            "The endpoint can be reached from the host of orlojd.",
            "Correct spec.endpoint, or start the server there."),
    NOT_STARTED(NOTE, "The server was started for the check.", "See the message."),
    SUSPENDED(NOTE, "The server is not suspended.", "Resume it: orlojctl resume."),
    NOT_IN_TIME(
            ERROR,
            "The server is checked within the time that the check has.",
            "See what the server does while it starts, or give the check more time with"
                    + " --timeout."),
    START_FAILED(
            ERROR,
            "The server starts and answers.",
            "Run the command by hand, and see what it prints."),
    NOT_READY(ERROR, "The server is ready.", "See orlojctl describe mcpserver, and orlojctl logs."),
    START_SLOW(
            WARNING,
            "The server starts within 10 seconds.",
            "Install the program beforehand instead of having a package runner download it."),
    STDOUT_NOISE(
            WARNING,
            "Only messages of MCP are on the standard output of the server.",
            "Have the server write its log to stderr; orlojctl logs shows the lines."),
    EOF_IGNORED(
            WARNING,
            "The server ends when its standard input is closed.",
            "Have the server exit at the end of its standard input; until then every stop of it"
                    + " lasts as long as its shutdown grace."),
    LIST_FAILED(ERROR, "The server lists its tools.", "Correct what the message names."),
    TOOL_LEFT_OUT(
            ERROR,
            "Every tool of the server can be offered.",
            "Have the server correct the definition of the tool."),
    TOOL_NAME_INVALID(
            WARNING,
            "Names of tools have 1 to 128 letters, digits, underscores, hyphens and dots.",
            "Rename the tool in the server; agents see a changed name until then."),
    SCHEMA_INVALID(
            ERROR,
            "The schemas of the tools are valid and describe objects.",
            "Have the server correct the schema; until then arguments pass unchecked."),
    SCHEMA_TOO_LARGE(
            WARNING,
            "The schema of a tool is at most 64 KiB long and 32 levels deep.",
            "Have the server describe less, or several simpler tools."),
    SCHEMA_REMOTE_REF(
            WARNING,
            "The schemas of the tools refer to nothing outside of themselves.",
            "Have the server include what the $ref names: nothing is fetched."),
    LIST_ORDER_UNSTABLE(
            WARNING,
            "The server lists its tools in the same order each time.",
            "Have the server sort its tools: an agent pays for its cached prompt again when the"
                    + " order changes."),
    DESTRUCTIVE_NOT_ANNOTATED(
            WARNING,
            "Tools whose name says that they destroy something have destructiveHint: true.",
            "Have the server set annotations.destructiveHint: true, and not readOnlyHint."),
    DESCRIPTION_MISSING(
            NOTE,
            "Every tool has a description.",
            "Have the server describe the tool: models choose by the description."),
    REVISION_OLD(
            NOTE,
            "The server speaks revision 2025-06-18 of MCP or a later one.",
            "Update the SDK of the server."),
    DEFINITIONS_COSTLY(
            WARNING,
            "The definitions of the tools cost an agent at most 20,000 tokens.",
            "Offer fewer tools with spec.tool_filter, or have the server shorten their"
                    + " descriptions.");

    private final Severity severity;
    private final String rule;
    private final String remedy;

    Check(Severity severity, String rule, String remedy) {
        this.severity = severity;
        this.rule = rule;
        this.remedy = remedy;
    }

    /** Returns the id in kebab-case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the severity of its findings. */
    public Severity severity() {
        return severity;
    }

    /** Returns what holds when the check finds nothing, as a sentence. */
    public String rule() {
        return rule;
    }

    /** Returns what to do about a finding, as a sentence. */
    public String remedy() {
        return remedy;
    }

    /** Returns the check of this id. */
    public static Optional<Check> find(String id) {
        return Arrays.stream(values()).filter(check -> check.id().equals(id)).findFirst();
    }

    /**
     * Returns the check for the reason of a condition: {@code SecretNotFound} is {@link
     * #SECRET_NOT_FOUND}.
     */
    public static Optional<Check> ofReason(String reason) {
        String id = reason.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        return find(id);
    }
}
