package dev.orloj.server.apply;

import static dev.orloj.server.apply.OwnedResource.applying;
import static dev.orloj.server.apply.OwnedResource.created;
import static dev.orloj.server.apply.OwnedResource.ofSpec;
import static dev.orloj.server.apply.OwnedResource.updating;
import static dev.orloj.server.apply.OwnedResource.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class UpdateTrackerTest {

    @Test
    void aCreatorOwnsEverythingItWrote() {
        OwnedResource resource = created("a", "{image: x, limits: {cpus: '1'}, tags: [t]}");

        assertThat(resource.ownedBy(updating("a")))
                .isEqualTo(
                        "[.spec, .spec.image, .spec.limits, .spec.limits.cpus, .spec.tags,"
                                + " .spec.tags[=\"t\"]]");
    }

    @Test
    void whoChangesAFieldOwnsIt() {
        OwnedResource resource = created("a", "{image: x, count: 1}");

        resource.update("b", "{image: y, count: 1}");

        assertThat(resource.ownedBy(updating("a"))).isEqualTo("[.spec, .spec.count]");
        assertThat(resource.ownedBy(updating("b"))).isEqualTo("[.spec.image]");
    }

    @Test
    void whoWritesWhatIsThereOwnsNothingNew() {
        OwnedResource resource = created("a", "{image: x}");

        resource.update("b", "{image: x}");

        assertThat(resource.managed().entries()).hasSize(1);
    }

    @Test
    void whoOnlyRemovesOwnsNothing() {
        OwnedResource resource = created("a", "{image: x, count: 1}");

        resource.update("b", "{image: x}");

        assertThat(resource.ownedBy(updating("a"))).isEqualTo("[.spec, .spec.image]");
        assertThat(resource.ownedBy(updating("b"))).isEqualTo("[]");
    }

    @Test
    void theOrderOfSharedItemsHasNoOwner() {
        OwnedResource resource = created("a", "{tags: [x, y], env: [{name: A}, {name: B}]}");
        ManagedFields before = resource.managed();

        resource.update("b", "{tags: [y, x], env: [{name: B}, {name: A}]}");

        assertThat(resource.managed()).isSameAs(before);
    }

    @Test
    void anApplierLosesWhatOthersChange() {
        OwnedResource resource = OwnedResource.absent().apply("a", "{image: x, tags: [t]}");

        resource.update("b", "{image: y, tags: [t, u]}");

        assertThat(resource.ownedBy(applying("a"))).isEqualTo("[.spec.tags[=\"t\"]]");
        assertThat(resource.ownedBy(updating("b"))).isEqualTo("[.spec.image, .spec.tags[=\"u\"]]");
    }

    @Test
    void untrackedFieldsGetNoOwner() {
        ManagedFields managed =
                new UpdateTracker(OwnedResource.TYPE, Shapes.ONE)
                        .updated(
                                ofSpec("{image: x}"),
                                ofSpec("{image: y}"),
                                ManagedFields.NONE,
                                updating("a"),
                                "");

        assertThat(managed.isEmpty()).isTrue();
    }

    @Test
    void theOldestOfTooManyUpdatersAreFoldedIntoOne() {
        OwnedResource resource = created("m00", "{free: {}}");
        for (int i = 1; i <= 14; i++) {
            String manager = "m%02d".formatted(i);
            resource.update(updating(manager), withFree(resource, manager, i));
        }

        List<String> names =
                resource.managed().entries().stream().map(e -> e.manager().name()).toList();

        assertThat(names).hasSize(UpdateTracker.MAX_UPDATERS).contains("m14").doesNotContain("m03");
        assertThat(resource.ownedBy(updating(UpdateTracker.OLDEST)))
                .contains(".spec.free.m01", ".spec.free.m03");
    }

    private static tools.jackson.databind.node.ObjectNode withFree(
            OwnedResource resource, String name, int value) {
        var after = resource.document().deepCopy();
        after.withObject("/spec/free").put(name, value);
        return after;
    }

    @Test
    void aChangeOfFormIsAChange() {
        OwnedResource resource = created("a", "{free: {x: 1}}");

        resource.update("b", "{free: [1]}");

        assertThat(resource.ownedBy(updating("b"))).isEqualTo("[.spec.free]");
        assertThat(resource.document().path("spec")).isEqualTo(yaml("{free: [1]}"));
    }

    @Test
    void numbersOfOneValueAreTheSame() {
        OwnedResource resource = created("a", "{free: {x: 1}}");

        resource.update("b", "{free: {x: 1.0}}");

        assertThat(resource.ownedBy(updating("b"))).isEqualTo("[]");
    }
}
