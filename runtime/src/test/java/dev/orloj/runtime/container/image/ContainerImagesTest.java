package dev.orloj.runtime.container.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.container.FakeRegistry;
import dev.orloj.runtime.container.Specs;
import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.container.spec.RegistryCredential;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Images on their way from a registry, which the tests run themselves. */
@NeedsDocker
class ContainerImagesTest {

    private final EngineConnection engine = new EngineConnection("");
    private final List<String> notification = new CopyOnWriteArrayList<>();
    private final ContainerImages images = new ContainerImages(engine, new Message());

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void anImageThatIsMissingIsPulledOnce() throws Exception {
        try (FakeRegistry registry = new FakeRegistry("")) {
            Image image = images.require(Specs.OWNER, source(registry, PullPolicy.IF_NOT_PRESENT));
            int requests = registry.requests().size();
            Image again = images.require(Specs.OWNER, source(registry, PullPolicy.IF_NOT_PRESENT));

            assertThat(again).isEqualTo(image);
            assertThat(registry.requests()).hasSize(requests);
            assertThat(image.repoDigests())
                    .containsExactly(
                            registry.host()
                                    + "/"
                                    + FakeRegistry.REPOSITORY
                                    + "@"
                                    + registry.manifestDigest());
            assertThat(notification).startsWith("pulling").endsWith("pulled");
            Docker.run("rmi", registry.image());
        }
    }

    @Test
    void theRegistryIsAskedEachTimeWhenTheManifestSaysSo() throws Exception {
        try (FakeRegistry registry = new FakeRegistry("")) {
            images.require(Specs.OWNER, source(registry, PullPolicy.ALWAYS));
            int requests = registry.requests().size();
            images.require(Specs.OWNER, source(registry, PullPolicy.ALWAYS));

            assertThat(registry.requests()).hasSizeGreaterThan(requests);
            Docker.run("rmi", registry.image());
        }
    }

    @Test
    void theRegistryIsNeverAskedWhenTheManifestSaysSo() throws Exception {
        try (FakeRegistry registry = new FakeRegistry("")) {
            assertThatThrownBy(
                            () -> images.require(Specs.OWNER, source(registry, PullPolicy.NEVER)))
                    .isInstanceOf(WorkloadException.class)
                    .hasMessageContaining(registry.image())
                    .hasMessageContaining("image_pull_policy");
            assertThat(registry.requests()).isEmpty();
        }
    }

    @Test
    void aCredentialIsShownToTheRegistry() throws Exception {
        try (FakeRegistry registry = new FakeRegistry("agent:s3cret")) {
            RegistryCredential credential =
                    new RegistryCredential(registry.host(), "agent", "s3cret");

            images.require(
                    Specs.OWNER,
                    new ImageSource(
                            registry.image(), PullPolicy.IF_NOT_PRESENT, Optional.of(credential)));

            assertThat(notification).endsWith("pulled");
            Docker.run("rmi", registry.image());
        }
    }

    @Test
    void aRefusalNamesTheRegistryAndTheReason() throws Exception {
        try (FakeRegistry registry = new FakeRegistry("agent:s3cret")) {
            assertThatThrownBy(
                            () -> images.require(Specs.OWNER, source(registry, PullPolicy.ALWAYS)))
                    .isInstanceOf(WorkloadException.class)
                    .hasMessageContaining("\"" + registry.image() + "\"")
                    .hasMessageContaining("registry \"" + registry.host() + "\"")
                    .hasMessageContaining("no basic auth credentials");
            assertThat(notification).startsWith("pulling").endsWith("not pulled");
        }
    }

    @Test
    void aRegistryThatDoesNotAnswerIsNamed() throws IOException {
        FakeRegistry gone = new FakeRegistry("");
        gone.close();

        assertThatThrownBy(() -> images.require(Specs.OWNER, source(gone, PullPolicy.ALWAYS)))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("registry \"" + gone.host() + "\"")
                .hasMessageContaining("connection refused");
    }

    @Test
    void namesWithoutARegistryMeanTheHub() {
        assertThat(named("mcp/gmail").registry()).isEqualTo("docker.io");
        assertThat(named("node").registry()).isEqualTo("docker.io");
        assertThat(named("index.docker.io/library/node").registry()).isEqualTo("docker.io");
        assertThat(named("ghcr.io/acme/git:1").registry()).isEqualTo("ghcr.io");
        assertThat(named("localhost:5000/git").registry()).isEqualTo("localhost:5000");
    }

    private static ImageSource named(String name) {
        return new ImageSource(name, PullPolicy.NEVER, Optional.empty());
    }

    private static ImageSource source(FakeRegistry registry, PullPolicy policy) {
        return new ImageSource(registry.image(), policy, Optional.empty());
    }

    private final class Message implements ContainerListener {

        @Override
        public void pulling(ContainerOwner owner, String image, String progress) {
            notification.add("pulling");
        }

        @Override
        public void pulled(ContainerOwner owner, String image) {
            notification.add("pulled");
        }

        @Override
        public void notPulled(ContainerOwner owner, String image, String cause) {
            notification.add("not pulled");
        }
    }
}
