package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.FieldError;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.NetworkAccess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class ContainerPolicyTest {

    private static final String NOT_ALLOWED = "Forbidden: the sandbox policy %s does not allow";

    private static ContainerPolicy policy(PolicyLevel level) {
        return new ContainerPolicy(
                level, ContainerIsolation.DEFAULT, Ceilings.NONE, HostFolders.NONE);
    }

    private static McpServerSpec spec(String fields) {
        return Json.MAPPER.readValue(
                "{\"transport\":\"stdio\",%s}".formatted(fields.replace('\'', '"')),
                McpServerSpec.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`'command':'npx'` | BASELINE | spec.command",
                "`'command':'a','attach':{'container':'c'}` | PRIVILEGED | spec.attach",
                "`'image':'i'` | BASELINE | spec.network.mode",
                "`'image':'i','network':{'mode':'isolated'}` | BASELINE | spec.network.mode",
                "`'image':'i','network':{'mode':'bridge'}` | PRIVILEGED | spec.network.mode",
                "`'image':'i','network':{'mode':'none'},'resources':{'user':'0'}` | PRIVILEGED |"
                        + " spec.resources.user",
                "`'image':'i','network':{'mode':'none'},'resources':{'user':'00:5'}` | PRIVILEGED |"
                        + " spec.resources.user",
                "`'image':'i','network':{'mode':'none'},'resources':{'user':'1000:0'}` | PRIVILEGED"
                        + " | spec.resources.user",
                "`'image':'i','network':{'mode':'none'},'trust_image_config':true` | BASELINE |"
                        + " spec.trust_image_config",
            })
    void everyRelaxationNeedsALevel(String fields, PolicyLevel needed, String field) {
        for (PolicyLevel level : PolicyLevel.values()) {
            List<FieldError> errors = policy(level).check(spec(fields));

            if (level.allows(needed)) {
                assertThat(errors).as("%s", level).isEmpty();
            } else {
                assertThat(errors)
                        .as("%s", level)
                        .singleElement()
                        .asString()
                        .startsWith(field + ": " + NOT_ALLOWED.formatted(level));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'image':'i','network':{'mode':'none'}",
                "'image':'i','network':{'allow_hosts':['api.example.com']}",
                "'image':'i','network':{'mode':'none'},'resources':{'user':'1000','memory':'4g'}",
                "'command':'a','sandbox_ref':'tools'",
            })
    void whatIsClosedIsAllowedEverywhere(String fields) {
        assertThat(policy(PolicyLevel.RESTRICTED).check(spec(fields))).isEmpty();
    }

    @Test
    void limitsBeyondCeilingsAreReportedWithTheCeiling() {
        Ceilings ceilings = new Ceilings(new ByteSize("1g"), new CpuAmount("1"), 100);
        ContainerPolicy policy =
                new ContainerPolicy(
                        PolicyLevel.BASELINE,
                        ContainerIsolation.DEFAULT,
                        ceilings,
                        HostFolders.NONE);

        assertThat(
                        policy.check(
                                spec(
                                        "'image':'i','resources':{'memory':'1025Mi','cpus':'1001m','pids_limit':101}")))
                .extracting(FieldError::toString)
                .containsExactly(
                        "spec.resources.memory: Invalid value: \"1025Mi\": must be at most 1g, the"
                                + " ceiling --tool-container-max-memory of orlojd",
                        "spec.resources.cpus: Invalid value: \"1001m\": must be at most 1, the"
                                + " ceiling --tool-container-max-cpus of orlojd",
                        "spec.resources.pids_limit: Invalid value: 101: must be at most 100, the"
                                + " ceiling --tool-container-max-pids-limit of orlojd");
        assertThat(
                        policy.check(
                                spec(
                                        "'image':'i','resources':{'memory':'1Gi','cpus':'1.0','pids_limit':100}")))
                .isEmpty();
    }

    @Test
    void whatAManifestDoesNotSayIsAsTheDefaultsAre() {
        McpServerSpec spec = spec("'image':'i','resources':{'memory':'1g','user':'1000'}");
        ContainerIsolation isolation =
                ContainerPolicy.DEFAULT.isolation(
                        spec.container().image().resources(), spec.container().image().network());

        ContainerLimits usual = ContainerLimits.DEFAULT;
        assertThat(isolation)
                .isEqualTo(
                        ContainerIsolation.DEFAULT
                                .withUser("1000")
                                .withLimits(
                                        new ContainerLimits(
                                                1L << 30,
                                                usual.nanoCpus(),
                                                usual.pids(),
                                                usual.tmpBytes())));
    }

    @Test
    void hostsAloneMeanAnIsolatedNetwork() {
        ContainerPolicy closed =
                new ContainerPolicy(
                        PolicyLevel.BASELINE,
                        ContainerIsolation.DEFAULT.withNetwork(NetworkAccess.NONE),
                        Ceilings.NONE,
                        HostFolders.NONE);
        McpServerSpec spec = spec("'image':'i','network':{'allow_hosts':['a.b']}");

        assertThat(closed.isolation(null, spec.container().image().network()).network())
                .isEqualTo(new NetworkAccess(NetworkAccess.Mode.ISOLATED, List.of("a.b")));
        assertThat(closed.isolation(null, null).network()).isEqualTo(NetworkAccess.NONE);
    }
}
