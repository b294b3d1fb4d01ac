package dev.orloj.controllers.mcpserver.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.policy.Policies;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.PodPolicy;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

class SandboxResolverTest {

    private static final String IMAGE = "\"image\": \"mcp/box\"";

    private static ServerDefaults defaults(ServerEngine configured) {
        ContainerPolicy usual = ContainerPolicy.DEFAULT;
        return new ServerDefaults(
                Duration.ofSeconds(60),
                Duration.ofSeconds(2),
                new ContainerPolicy(
                        usual.level(),
                        usual.defaults(),
                        usual.ceilings(),
                        usual.folders(),
                        configured,
                        PodPolicy.DEFAULT));
    }

    private static Sandbox sandbox(String spec) {
        return Manifests.sandbox("default", "box", spec);
    }

    private static SandboxResolution resolve(
            ServerEngine configured, PolicyCheck policies, String spec) {
        return new SandboxResolver(key -> Optional.empty(), defaults(configured), policies)
                .resolve(sandbox(spec));
    }

    private static ExecTarget target(ServerEngine configured, PolicyCheck policies) {
        return ((SandboxResolution.Resolved) resolve(configured, policies, IMAGE)).target();
    }

    @Test
    void sandboxRunsInTheConfiguredEngineIfNoPolicyRequiresAnother() {
        assertThat(target(ServerEngine.CONTAINER, PolicyCheck.NONE))
                .isInstanceOf(ExecTarget.Shared.class);
        assertThat(target(ServerEngine.POD, PolicyCheck.NONE))
                .isInstanceOf(ExecTarget.SharedPod.class);
        assertThat(target(ServerEngine.POD, Policies.check(Policies.engine("e", "pod"))))
                .isInstanceOf(ExecTarget.SharedPod.class);
        assertThat(target(ServerEngine.POD, Policies.check(Policies.engine("e", "container"))))
                .isInstanceOf(ExecTarget.Shared.class);
    }

    @Test
    void requiredEngineThatDoesNotExistIsNotReplacedByAnother() {
        SandboxResolution resolution =
                resolve(ServerEngine.CONTAINER, Policies.check(Policies.engine("e", "pod")), IMAGE);

        assertThat(resolution)
                .isInstanceOfSatisfying(
                        SandboxResolution.Refused.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo("EngineUnavailable");
                            assertThat(refused.message()).contains("this orlojd runs no Pods");
                        });
    }

    /** Whether a folder of the host may be mounted does not matter then. */
    @Test
    void foldersOfTheHostAreRefusedInAPod() {
        String mounts = ", \"mounts\": [{\"host_path\": \"/srv/work\", \"mount_path\": \"/work\"}]";

        assertThat(resolve(ServerEngine.POD, PolicyCheck.NONE, IMAGE + mounts))
                .isEqualTo(
                        new SandboxResolution.Refused(
                                "MountRefused",
                                "spec.mounts: this Sandbox runs in a Pod, which has no folders of"
                                        + " the host of orlojd; remove the field, and copy what is"
                                        + " needed into the image"));
    }

    @Test
    void serverRunsInThePodOfItsSandbox() {
        Resolution resolution =
                new DefinitionResolver(
                                key -> Optional.empty(),
                                key -> Optional.empty(),
                                key -> Optional.of(sandbox(IMAGE)),
                                defaults(ServerEngine.POD),
                                PolicyCheck.NONE,
                                namespace -> List.of())
                        .resolve(
                                Manifests.server(
                                        "default",
                                        "search",
                                        "\"transport\": \"stdio\", \"command\": \"search\","
                                                + " \"sandbox_ref\": \"box\""));

        assertThat(((Resolution.Resolved) resolution).definition().address())
                .isInstanceOfSatisfying(
                        ServerAddress.Exec.class,
                        exec -> assertThat(exec.target()).isInstanceOf(ExecTarget.SharedPod.class));
    }
}
