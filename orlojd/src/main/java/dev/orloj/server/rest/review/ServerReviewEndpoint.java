package dev.orloj.server.rest.review;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.review.Companions;
import dev.orloj.controllers.review.Review;
import dev.orloj.controllers.review.ServerReviews;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reviews a stored server, or a manifest that is not stored: its server is then started, as a
 * session starts it, and ended before the response. Trying a server out needs no more rights than
 * creating it does, and stores less.
 */
@RestController
public class ServerReviewEndpoint {

    public static final ApiResource RESOURCE =
            ApiResource.question(McpServer.KIND.group(), ReviewRequest.KIND, true);

    private final ServerReviews reviews;
    private final ProposedManifests manifests;
    private final Processing processing;
    private final ClientDisconnects disconnects;
    private final InstantSource clock;

    ServerReviewEndpoint(
            ServerReviews reviews,
            ProposedManifests manifests,
            Processing processing,
            ClientDisconnects disconnects,
            InstantSource clock) {
        this.reviews = reviews;
        this.manifests = manifests;
        this.processing = processing;
        this.disconnects = disconnects;
        this.clock = clock;
    }

    /** What was read from the request on a thread for processing. */
    private record Question(
            ReviewRequest request, ProposedManifests.Proposal proposal, Companions companions) {}

    @RequestMapping("/apis/orloj.dev/v1/namespaces/{namespace}/mcpserverreviews")
    void review(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        if (!request.getMethod().equals("POST")) {
            throw new ApiException(
                    ErrorReason.METHOD_NOT_ALLOWED,
                    "the server does not allow this method on the requested resource");
        }
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        String namespace = ApiPath.of(request).map(ApiPath::namespace).orElseThrow();
        RequestBody body = RequestBody.read(request);
        Question question =
                processing.run(
                        request,
                        () -> question(body, namespace, AuthenticationGuard.user(request)));
        Review review = disconnects.whileConnected(request, () -> review(question, namespace));
        Responses.json(response, 201, document(review));
    }

    private Question question(RequestBody body, String namespace, Optional<UserInfo> user) {
        ReviewRequest request = ReviewRequest.of(body.document().root());
        Optional<UserInfo> starter = request.start() ? user : Optional.empty();
        ProposedManifests.Proposal proposal =
                request.manifest()
                        .map(manifest -> manifests.server(manifest, namespace, starter))
                        .orElse(ProposedManifests.Proposal.NONE);
        return new Question(
                request, proposal, manifests.companions(request.companions(), namespace));
    }

    private Review review(Question question, String namespace) throws InterruptedException {
        ReviewRequest request = question.request();
        if (request.manifest().isEmpty()) {
            return reviews.review(new ResourceKey(namespace, request.server()))
                    .orElseThrow(() -> ApiException.notFound(McpServer.KIND, request.server()));
        }
        ProposedManifests.Proposal proposal = question.proposal();
        if (proposal.server().isEmpty()) {
            Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            return new Review(new Report(now, 0, 0, proposal.findings()), Optional.empty());
        }
        Review review =
                reviews.review(
                        proposal.server().get(),
                        question.companions(),
                        request.start(),
                        request.timeout());
        List<Finding> all = new ArrayList<>(proposal.findings());
        all.addAll(review.report().findings());
        return review.withFindings(all);
    }

    /** The response does not repeat the manifests, which may hold secrets. */
    private static ObjectNode document(Review answer) {
        ObjectNode review = Json.MAPPER.createObjectNode();
        review.put("apiVersion", ReviewRequest.API_VERSION).put("kind", ReviewRequest.KIND);
        review.putObject("metadata").putNull("creationTimestamp");
        ObjectNode status = review.putObject("status");
        status.set("report", Json.MAPPER.valueToTree(answer.report()));
        answer.findings()
                .ifPresent(found -> status.set("findings", Json.MAPPER.valueToTree(found)));
        return review;
    }
}
