package dev.orloj.server.apply;

import static dev.orloj.server.apply.OwnedResource.applying;
import static dev.orloj.server.apply.OwnedResource.ofSpec;
import static dev.orloj.server.apply.OwnedResource.updating;
import static dev.orloj.server.apply.OwnedResource.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

/** How kubectl comes from applying by itself to having it done by the server. */
class LastAppliedTest {

    private static final String CLIENT_SIDE = "kubectl-client-side-apply";

    /** As kubectl creates it: the manifest, and the manifest again in an annotation. */
    private static OwnedResource clientSide(String spec) {
        ObjectNode document = ofSpec(spec);
        document.withObject("/metadata/annotations")
                .put(LastApplied.ANNOTATION, Json.MAPPER.writeValueAsString(ofSpec(spec)));
        OwnedResource resource = OwnedResource.created(CLIENT_SIDE, spec);
        return resource.update(updating(CLIENT_SIDE), document);
    }

    private static String annotation(OwnedResource resource) {
        return resource.document()
                .at("/metadata/annotations")
                .path(LastApplied.ANNOTATION)
                .asString("");
    }

    @Test
    void kubectlTakesOverWhatItAppliedItself() {
        OwnedResource resource = clientSide("{image: x}");

        resource.apply("kubectl", "{image: y}");

        assertThat(resource.spec()).isEqualTo(yaml("{image: y}"));
        assertThat(resource.ownedBy(updating(CLIENT_SIDE))).doesNotContain(".spec.image");
    }

    @Test
    void whatOthersChangedSinceIsAConflict() {
        OwnedResource resource = clientSide("{image: x, count: 1}");
        ObjectNode changed = resource.document().deepCopy();
        changed.withObject("/spec").put("image", "z");
        resource.update(updating("editor"), changed);

        ConflictException e =
                catchThrowableOfType(
                        ConflictException.class,
                        () -> resource.apply("kubectl", "{image: y, count: 2}"));

        assertThat(e.conflicts()).extracting(Conflict::field).containsExactly(".spec.image");
    }

    @Test
    void otherManagersMayNot() {
        OwnedResource resource = clientSide("{image: x}");

        ConflictException e =
                catchThrowableOfType(
                        ConflictException.class, () -> resource.apply("flux", "{image: y}"));

        assertThat(e.conflicts()).hasSize(1);
    }

    @Test
    void theAnnotationFollowsWhatIsApplied() {
        OwnedResource resource = clientSide("{image: x}").apply("kubectl", "{image: y}");

        assertThat(Json.MAPPER.readTree(annotation(resource))).isEqualTo(ofSpec("{image: y}"));
    }

    @Test
    void noAnnotationIsMadeWhereThereIsNone() {
        OwnedResource resource = OwnedResource.absent().apply("kubectl", "{image: y}");

        assertThat(annotation(resource)).isEmpty();
    }

    @Test
    void anAnnotationThatIsNoneAllowsNothing() {
        OwnedResource resource = clientSide("{image: x}");
        resource.document()
                .withObject("/metadata/annotations")
                .put(LastApplied.ANNOTATION, "{broken");

        ConflictException e =
                catchThrowableOfType(
                        ConflictException.class, () -> resource.apply("kubectl", "{image: y}"));

        assertThat(e.conflicts()).hasSize(1);
        assertThat(resource.ownedBy(applying("kubectl"))).isEqualTo("[]");
    }
}
