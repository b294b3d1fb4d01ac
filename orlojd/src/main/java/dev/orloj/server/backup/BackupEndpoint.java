package dev.orloj.server.backup;

import dev.orloj.api.ApiException;
import dev.orloj.api.backup.BackupException;
import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupLimits;
import dev.orloj.api.codec.Json;
import dev.orloj.server.audit.AuditFilter;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.OpenStreams;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * Writes and restores backups. Both are POST requests, so that the audit log has them, and need the
 * verb {@code create} on a resource that only cluster-admin may use.
 */
@RestController
class BackupEndpoint {

    private static final String BACKUPS = "/apis/orloj.dev/v1/backups";
    private static final String RESTORES = "/apis/orloj.dev/v1/restores";
    private static final String ZIP = "application/zip";
    private static final Set<String> ZIPS = Set.of(ZIP, "application/*", "*/*");
    private static final int BUFFER = 64 * 1024;

    /** For the transfer of a backup, which is as fast as its client. */
    private static final Duration MAX_TRANSFER = Duration.ofHours(4);

    private final DatabaseBackup backup;
    private final DatabaseRestore restore;
    private final OpenStreams streams;
    private final InstantSource clock;

    BackupEndpoint(
            DatabaseBackup backup,
            DatabaseRestore restore,
            OpenStreams streams,
            InstantSource clock) {
        this.backup = backup;
        this.restore = restore;
        this.streams = streams;
        this.clock = clock;
    }

    @PostMapping(BACKUPS)
    void create(HttpServletRequest request, HttpServletResponse response) throws IOException {
        requireZip(request.getHeader("Accept"));
        RequestBody.read(request);
        TimeLimit limit = new TimeLimit(clock, MAX_TRANSFER);
        Thread self = Thread.currentThread();
        try (OpenStreams.Registration _ = streams.register(self::interrupt)) {
            backup.writeTo(
                    header -> {
                        AuditFilter.noteName(request, header.createdAt().toString());
                        response.setStatus(200);
                        response.setContentType(ZIP);
                        response.setHeader("Cache-Control", Responses.DYNAMIC);
                        return new BufferedOutputStream(
                                limit.of(response.getOutputStream()), BUFFER);
                    });
        }
    }

    /**
     * Restores the backup in the body. With {@code dryRun=All}, whose body is the header of a
     * backup, only finds out whether it would be refused.
     */
    @PostMapping(RESTORES)
    void restore(HttpServletRequest request, HttpServletResponse response) throws IOException {
        QueryParameters query = QueryParameters.parse(request.getQueryString());
        boolean force = query.text("force").equals("true");
        BackupLimits limits = limits(query);
        if (query.text("dryRun").equals("All")) {
            BackupHeader header = header(RequestBody.read(request));
            restore.check(header, force);
            Responses.json(response, 200, answer(header));
            return;
        }
        if (!ZIP.equals(MediaTypes.contentType(request.getContentType()))) {
            throw MediaTypes.unsupported(ZIP);
        }
        Thread self = Thread.currentThread();
        TimeLimit limit = new TimeLimit(clock, MAX_TRANSFER);
        InputStream body = new BufferedInputStream(limit.of(request.getInputStream()), BUFFER);
        try (OpenStreams.Registration _ = streams.register(self::interrupt)) {
            DatabaseRestore.Restored done = restore.run(body, limits, force);
            AuditFilter.noteName(request, done.backup().createdAt().toString());
            ObjectNode answer = answer(done.backup());
            answer.put("resourceVersion", Long.toString(done.revision()));
            answer.put("restartRequired", restore.requiresRestart());
            ObjectNode rows = answer.putObject("rows");
            done.rows().forEach(rows::put);
            Responses.json(response, 200, answer);
        } catch (ApiException e) {
            skipRest(body);
            throw e;
        }
    }

    /** A client that is still sending would not read the error. */
    private static void skipRest(InputStream body) {
        try {
            body.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The client is gone or too slow; the error that is to be sent matters more.
        }
    }

    private static BackupLimits limits(QueryParameters query) {
        BackupLimits defaults = BackupLimits.DEFAULTS;
        return new BackupLimits(
                query.positive("maxBytes").orElse(defaults.maxBytes()),
                query.positive("maxRows").orElse(defaults.maxRows()),
                query.positive("maxRowBytes").orElse(defaults.maxRowBytes()));
    }

    private static void requireZip(@Nullable String accept) {
        if (accept != null
                && MediaTypes.accepted(accept).stream()
                        .noneMatch(type -> ZIPS.contains(type.name()))) {
            throw MediaTypes.notAcceptable(ZIP);
        }
    }

    private static BackupHeader header(RequestBody body) {
        try {
            return BackupHeader.parse(body.bytes());
        } catch (BackupException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static ObjectNode answer(BackupHeader header) {
        return Json.MAPPER
                .createObjectNode()
                .put("kind", "Restore")
                .put("apiVersion", "orloj.dev/v1")
                .put("backupCreatedAt", header.createdAt().toString())
                .put("backupVersion", header.version());
    }
}
