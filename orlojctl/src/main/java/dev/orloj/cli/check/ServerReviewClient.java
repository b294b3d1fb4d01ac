package dev.orloj.cli.check;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.GoDuration;
import dev.orloj.api.Kind;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.manifest.Submission;
import dev.orloj.cli.output.Progress;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Requests reviews of orlojd. */
final class ServerReviewClient {

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(60);

    /** For the end of the server. */
    private static final Duration BEYOND = Duration.ofMinutes(1);

    private static final int MAX_COMPANIONS = 100;

    /**
     * @param definitions what was found in the definitions of tools; empty if none was listed
     */
    private record Answer(Report report, Optional<FindingSummary> definitions) {}

    private final Context context;
    private final boolean start;
    private final Duration timeout;

    ServerReviewClient(Context context, boolean start, Optional<Duration> timeout) {
        this.context = context;
        this.start = start;
        this.timeout = timeout.orElse(USUAL_TIMEOUT);
    }

    /** Reviews a stored server of the namespace. */
    Checked review(String name) {
        ObjectNode spec = Json.MAPPER.createObjectNode().put("server", name);
        String namespace = context.namespace();
        Answer answer = send(namespace, spec);
        return new Checked(
                namespace + "/" + name, Optional.empty(), answer.report(), answer.definitions());
    }

    /**
     * Reviews all servers among the manifests, in order. Of the other manifests, only those with
     * errors have a report.
     */
    List<Checked> review(List<Submission> submissions) {
        List<Checked> checked = new ArrayList<>();
        for (Submission submission : submissions) {
            if (submission.kind().equals(McpServer.KIND)) {
                checked.add(review(submission, submissions));
                continue;
            }
            List<Finding> findings = findings(submission);
            if (!findings.isEmpty()) {
                String name = submission.display();
                Report report = new Report(null, 0, 0, findings);
                checked.add(checked(name, submission, new Answer(report, Optional.empty())));
            }
        }
        return checked;
    }

    private Checked review(Submission server, List<Submission> all) {
        ObjectNode spec = Json.MAPPER.createObjectNode();
        spec.set("manifest", server.document());
        all.stream()
                .filter(other -> isCompanion(other, server))
                .limit(MAX_COMPANIONS)
                .forEach(other -> spec.withArray("companions").add(other.document()));
        spec.put("start", start).put("timeout", GoDuration.of(timeout).text());
        Answer answer;
        try (Progress progress = context.console().progress()) {
            progress.showInTerminal((start ? "Trying out " : "Checking ") + server.display());
            answer = send(server.key().namespace(), spec);
        }
        // The messages of this side have a guess of what was meant.
        List<Finding> findings =
                new ArrayList<>(
                        answer.report().findings().stream()
                                .filter(finding -> !finding.isOf(Check.UNKNOWN_FIELD))
                                .toList());
        findings.addAll(unknownFields(server, check(server)));
        return checked(
                server.key().toString(),
                server,
                new Answer(answer.report().withFindings(findings), answer.definitions()));
    }

    private static Checked checked(String name, Submission submission, Answer answer) {
        return new Checked(
                name, Optional.of(submission.manifest()), answer.report(), answer.definitions());
    }

    /** Sends no more Secrets than the server names. */
    private static boolean isCompanion(Submission other, Submission server) {
        Kind<?> kind = other.descriptor().stored().kind();
        return (kind.equals(Secret.KIND)
                        || kind.equals(ConfigMap.KIND)
                        || kind.equals(Sandbox.KIND))
                && other.key().namespace().equals(server.key().namespace())
                && server.document().toString().contains(other.key().name())
                && check(other).errors().isEmpty();
    }

    private static DocumentCheck check(Submission submission) {
        return DocumentCheck.of(submission.descriptor(), submission.document());
    }

    private static List<Finding> findings(Submission submission) {
        DocumentCheck check = check(submission);
        List<Finding> findings = unknownFields(submission, check);
        check.errors()
                .forEach(
                        error ->
                                findings.add(
                                        Finding.at(
                                                Check.MANIFEST_INVALID,
                                                error.path().toString(),
                                                error.message())));
        return findings;
    }

    private static List<Finding> unknownFields(Submission submission, DocumentCheck check) {
        List<Finding> findings = new ArrayList<>();
        for (String field : check.unknownFields()) {
            String place = submission.manifest().locate(field) + ": ";
            String message = submission.unknown(field);
            findings.add(
                    Finding.at(
                            Check.UNKNOWN_FIELD,
                            field,
                            message.startsWith(place)
                                    ? message.substring(place.length())
                                    : message));
        }
        return findings;
    }

    private Answer send(String namespace, ObjectNode spec) {
        ObjectNode review = Json.MAPPER.createObjectNode();
        review.put("apiVersion", McpServer.KIND.apiVersion()).put("kind", "McpServerReview");
        review.set("spec", spec);
        Request request =
                Request.of(
                        "POST",
                        "/apis/%s/namespaces/%s/mcpserverreviews"
                                .formatted(McpServer.KIND.apiVersion(), Request.encode(namespace)),
                        Json.MAPPER.writeValueAsBytes(review));
        JsonNode answer;
        // The server may wait for other checks as long as for this one.
        try {
            answer =
                    context.connection()
                            .readObject(request.waiting(timeout.multipliedBy(2).plus(BEYOND)));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND && e.details().isEmpty()) {
                throw new CommandException(
                        "the orlojd at %s has no checks; update it to the version of orlojctl"
                                .formatted(context.connection().server()));
            }
            throw e;
        }
        JsonNode definitions = answer.at("/status/findings");
        return new Answer(
                Json.MAPPER.treeToValue(answer.at("/status/report"), Report.class),
                definitions.isObject()
                        ? Optional.of(Json.MAPPER.treeToValue(definitions, FindingSummary.class))
                        : Optional.empty());
    }
}
