package dev.orloj.server.apply;

import static dev.orloj.server.apply.OwnedResource.absent;
import static dev.orloj.server.apply.OwnedResource.applying;
import static dev.orloj.server.apply.OwnedResource.created;
import static dev.orloj.server.apply.OwnedResource.ofSpec;
import static dev.orloj.server.apply.OwnedResource.updating;
import static dev.orloj.server.apply.OwnedResource.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

/** What managers that apply do to a resource, and to each other. */
class ApplierTest {

    private static ConflictException refusal(Runnable apply) {
        return catchThrowableOfType(ConflictException.class, apply::run);
    }

    @Test
    void whoAppliesOwnsWhatItAppliedAndNotTheNameOfTheResource() {
        OwnedResource resource = absent().apply("a", "{image: x, env: [{name: A, value: '1'}]}");

        assertThat(resource.ownedBy(applying("a")))
                .isEqualTo(
                        "[.spec.env[name=\"A\"], .spec.env[name=\"A\"].name,"
                                + " .spec.env[name=\"A\"].value, .spec.image]");
    }

    @Test
    void applyOfTheSameChangesNothing() {
        OwnedResource resource = absent().apply("a", "{image: x, tags: [b, a], free: {z: [1]}}");
        ObjectNode before = resource.document().deepCopy();
        ManagedFields managed = resource.managed();

        resource.apply("a", "{image: x, tags: [b, a], free: {z: [1]}}");

        assertThat(resource.document()).isEqualTo(before);
        assertThat(resource.managed().isSameButForTime(managed)).isTrue();
    }

    @Test
    void theSameValueIsOwnedTogether() {
        OwnedResource resource = absent().apply("a", "{image: x}").apply("b", "{image: x}");

        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[.spec.image]");
        assertThat(resource.ownedBy(applying("b"))).isEqualTo("[.spec.image]");
    }

    @Test
    void whatOneOfTwoOwnersGivesUpStays() {
        OwnedResource resource = absent().apply("a", "{image: x}").apply("b", "{image: x}");

        resource.apply("a", "{}");

        assertThat(resource.spec()).isEqualTo(yaml("{image: x}"));
        // An empty object is a field of its own.
        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[.spec]");
    }

    @Test
    void whatTheOnlyOwnerGivesUpGoes() {
        OwnedResource resource =
                absent().apply("a", "{image: x, count: 1}").apply("b", "{tags: [t]}");

        resource.apply("a", "{count: 1}");

        assertThat(resource.spec()).isEqualTo(yaml("{count: 1, tags: [t]}"));
    }

    @Test
    void whatHasNoOwnerStaysWhereItIs() {
        OwnedResource resource = absent().apply("a", "{image: x, limits: {memory: 1Gi}}");
        resource.spec().put("count", 3); // a default
        resource.spec().withObject("/limits").put("cpus", "1");

        resource.apply("a", "{limits: {memory: 1Gi}}");

        assertThat(resource.spec()).isEqualTo(yaml("{count: 3, limits: {memory: 1Gi, cpus: '1'}}"));
    }

    @Test
    void anEnclosingFieldGoesWithItsLastPart() {
        OwnedResource resource = absent().apply("a", "{image: x, limits: {memory: 1Gi}}");
        resource.spec().withObject("/limits").put("cpus", "1"); // a default in it

        resource.apply("a", "{image: x}");

        assertThat(resource.spec()).isEqualTo(yaml("{image: x}"));
    }

    /** Was: taken away with its last part, although its owner had asked for just that. */
    @Test
    void anEmptyObjectWithAnOwnerStays() {
        OwnedResource resource = absent().apply("a", "{limits: {}}");
        resource.apply("b", "{limits: {cpus: '1'}}");

        resource.apply("b", "{}");

        assertThat(resource.spec()).isEqualTo(yaml("{limits: {}}"));
    }

    @Test
    void anotherValueIsAConflictWithItsOwner() {
        OwnedResource resource = absent().apply("a", "{image: x, env: [{name: A, value: '1'}]}");

        ConflictException e = refusal(() -> resource.apply("b", "{env: [{name: A, value: '2'}]}"));

        assertThat(e)
                .hasMessage(
                        "Apply failed with 1 conflict: conflict with \"a\":"
                                + " .spec.env[name=\"A\"].value");
        assertThat(resource.ownedBy(applying("b"))).isEqualTo("[]");
    }

    @Test
    void severalConflictsAreListedByOwner() {
        OwnedResource resource =
                created("editor", "{image: x, count: 1, args: [p]}").force("a", "{image: y}");

        ConflictException e = refusal(() -> resource.apply("b", "{image: z, count: 2, args: [q]}"));

        assertThat(e)
                .hasMessage(
                        """
                        Apply failed with 3 conflicts: conflicts with "a":
                        - .spec.image
                        conflicts with "editor" using test.dev/v1:
                        - .spec.args
                        - .spec.count\
                        """);
        assertThat(e.conflicts()).extracting(Conflict::field).hasSize(3);
    }

    @Test
    void aConflictThroughASubresourceSaysSo() {
        OwnedResource resource = absent().apply("a", "{image: x}");
        resource.update(
                Manager.updating("doctor", OwnedResource.VERSION, "status"),
                ofSpec("{image: x}").set("status", yaml("{phase: Up}")));

        ObjectNode config = ofSpec("{}");
        config.set("status", yaml("{phase: Down}"));
        ConflictException e = refusal(() -> resource.apply(applying("b"), config, false));

        assertThat(e)
                .hasMessage(
                        "Apply failed with 1 conflict: conflict with \"doctor\" with subresource"
                                + " \"status\" using test.dev/v1: .status.phase");
    }

    @Test
    void forceTakesTheFieldAndLeavesTheRest() {
        OwnedResource resource = absent().apply("a", "{image: x, count: 1}");

        resource.force("b", "{image: y}");

        assertThat(resource.spec()).isEqualTo(yaml("{image: y, count: 1}"));
        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[.spec.count]");
        assertThat(resource.ownedBy(applying("b"))).isEqualTo("[.spec.image]");
    }

    @Test
    void anOwnerThatLostItsLastFieldIsNotListed() {
        OwnedResource resource = absent().apply("a", "{image: x}").force("b", "{image: y}");

        assertThat(resource.managed().entries()).hasSize(1);
    }

    @Test
    void removalIsNoConflictAndTakesTheFieldFromAllManagers() {
        OwnedResource resource =
                absent().apply("a", "{image: x}").apply("b", "{image: x, count: 1}");

        resource.update("editor", "{count: 1}");

        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[]");
        assertThat(resource.ownedBy(applying("b"))).isEqualTo("[.spec.count]");
    }

    @Test
    void aListOfNoDeclaredTypeIsOneValue() {
        OwnedResource resource = absent().apply("a", "{args: [x]}");

        ConflictException e = refusal(() -> resource.apply("b", "{args: [x, y]}"));

        assertThat(e.conflicts()).extracting(Conflict::field).containsExactly(".spec.args");
    }

    @Test
    void anAtomicMapIsOneValue() {
        OwnedResource resource = absent().apply("a", "{selector: {app: x}}");

        ConflictException e = refusal(() -> resource.apply("b", "{selector: {tier: y}}"));

        assertThat(e.conflicts()).extracting(Conflict::field).containsExactly(".spec.selector");
    }

    @Test
    void itemsOfASetAreSharedOneByOne() {
        OwnedResource resource = absent().apply("a", "{tags: [x, y]}").apply("b", "{tags: [z]}");
        assertThat(resource.spec()).isEqualTo(yaml("{tags: [x, y, z]}"));

        resource.apply("a", "{tags: [x]}");

        assertThat(resource.spec()).isEqualTo(yaml("{tags: [x, z]}"));
    }

    @Test
    void itemsAreDistinguishedByAllTheirKeysAndTheirDefaults() {
        OwnedResource resource =
                absent().apply("a", "{ports: [{port: 80, name: web}]}")
                        .apply("b", "{ports: [{port: 80, protocol: udp, name: voice}]}");

        ConflictException e =
                refusal(
                        () ->
                                resource.apply(
                                        "b", "{ports: [{port: 80, protocol: tcp, name: mine}]}"));

        assertThat(resource.spec().path("ports")).hasSize(2);
        assertThat(e.conflicts())
                .extracting(Conflict::field)
                .contains(".spec.ports[port=80,protocol=\"tcp\"].name");
    }

    @Test
    void twoManagersShareAnItemByItsFields() {
        OwnedResource resource =
                absent().apply("a", "{env: [{name: A, value: '1'}]}")
                        .apply("b", "{env: [{name: A, note: n}]}");
        assertThat(resource.spec()).isEqualTo(yaml("{env: [{name: A, value: '1', note: n}]}"));

        resource.apply("a", "{env: []}");

        assertThat(resource.spec()).isEqualTo(yaml("{env: [{name: A, note: n}]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // live | applied by another manager | what comes of it
                "[a, b, c] | [c, a]       | [b, c, a]",
                "[a, b, c] | [x]          | [a, b, c, x]",
                "[a, b, c] | [c, x, a]    | [b, c, x, a]",
                "[a, b]    | [b, a]       | [b, a]",
                "[a, b, c] | [x, a, y, c] | [x, a, b, y, c]",
                "[]        | [b, a]       | [b, a]",
                "[a]       | []           | [a]",
                "[l, a, m] | [a, b]       | [l, a, m, b]",
            })
    void appliedOrderWinsAndOthersKeepTheirPlace(String live, String applied, String expected) {
        OwnedResource resource = absent().apply("a", "{tags: " + live + "}");

        resource.apply("b", "{tags: " + applied + "}");

        assertThat(resource.spec()).isEqualTo(yaml("{tags: " + expected + "}"));
    }

    @Test
    void whatNoSchemaDescribesIsSharedByField() {
        OwnedResource resource =
                absent().apply("a", "{free: {x: {p: 1}, l: [1]}}")
                        .apply("b", "{free: {x: {q: 2}}}");
        assertThat(resource.spec()).isEqualTo(yaml("{free: {x: {p: 1, q: 2}, l: [1]}}"));

        ConflictException e = refusal(() -> resource.apply("b", "{free: {l: [1, 2]}}"));

        assertThat(e.conflicts()).extracting(Conflict::field).containsExactly(".spec.free.l");
    }

    @Test
    void aNullIsAValueThatIsOwned() {
        OwnedResource resource = absent().apply("a", "{image: null, count: 1}");

        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[.spec.count, .spec.image]");
        assertThat(refusal(() -> resource.apply("b", "{image: x}")).conflicts())
                .extracting(Conflict::field)
                .containsExactly(".spec.image");
    }

    @Test
    void aNullOverAMapRemovesNothingOfOthers() {
        OwnedResource resource = absent().apply("a", "{limits: {memory: 1Gi}, tags: [t]}");

        resource.apply("b", "{limits: null, tags: null}");

        assertThat(resource.spec()).isEqualTo(yaml("{limits: {memory: 1Gi}, tags: [t]}"));
    }

    @Test
    void oneManagerAppliesAndUpdatesAsTwo() {
        OwnedResource resource = created("a", "{image: x}");

        assertThat(refusal(() -> resource.apply("a", "{image: y}")).conflicts()).hasSize(1);

        resource.force("a", "{image: y}");
        assertThat(resource.ownedBy(updating("a"))).isEqualTo("[.spec]");
        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[.spec.image]");
    }

    @Test
    void entriesOfAnotherViewPassThrough() {
        OwnedResource resource = absent();
        Manager elsewhere = Manager.applying("core", "v1", "");
        resource.apply(elsewhere, ofSpec("{image: x}"), false);

        resource.apply("a", "{image: y}").update("editor", "{}");

        assertThat(resource.ownedBy(elsewhere)).isEqualTo("[.spec.image]");
    }

    @Test
    void everyManagersMetadataIsItsOwn() {
        ObjectNode labelled = ofSpec("{}");
        labelled.withObject("/metadata/labels").put("app.kubernetes.io/name", "x");
        OwnedResource resource = absent().apply("a", "{image: x}");
        resource.apply(applying("b"), labelled, false);

        resource.apply(applying("b"), yaml("{kind: Thing, metadata: {}}"), false);

        assertThat(resource.document().at("/metadata")).isEqualTo(yaml("{name: x}"));
        assertThat(resource.spec()).isEqualTo(yaml("{image: x}"));
    }
}
