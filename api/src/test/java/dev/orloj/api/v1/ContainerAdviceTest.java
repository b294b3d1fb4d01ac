package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Advice;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** What is said of manifests with containers that work all the same. */
class ContainerAdviceTest {

    private static List<Advice> advice(String spec) {
        return McpServer.DESCRIPTOR.advice(document("McpServer", spec));
    }

    private static ObjectNode document(String kind, String spec) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "%s", "metadata": {"name": "a"},
                         "spec": {%s}}
                        """
                                .formatted(
                                        kind,
                                        spec.replace("S,", "'transport':'stdio',")
                                                .replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "S,'image':'node','command':'npx -y server','idle_timeout':'5m'",
                "S,'image':'node','command':'/usr/bin/npx','args':['-y','server'],'idle_timeout':'1s'",
                "S,'image':'node','args':['uvx','server'],'lifecycle':'on_demand'",
            })
    void aProgramThatIsDownloadedAtEachStartIsSlow(String spec) {
        assertThat(advice(spec))
                .singleElement()
                .satisfies(
                        advice -> {
                            assertThat(advice.reason()).isEqualTo("SlowStart");
                            assertThat(advice.message()).startsWith("spec.idle_timeout: ");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "S,'command':'npx -y server','idle_timeout':'5m'",
                "S,'image':'node','command':'npx -y server'",
                "S,'image':'node','command':'npx -y server','idle_timeout':'0s'",
                "S,'image':'node','command':'node npx','idle_timeout':'5m'",
                "S,'image':'server','idle_timeout':'5m'",
                "S,'image':'server','env':[{'name':'A','value':'b'}]",
                "S,'image':'server','env':[{'name':'A','secretRef':'s','mountPath':'/s'}]",
                "S,'command':'server','env':[{'name':'A','secretRef':'s'}]",
            })
    void othersAreLeftAlone(String spec) {
        assertThat(advice(spec)).isEmpty();
    }

    @Test
    void secretsInVariablesOfAContainerAreNamedAndNotTheirValues() {
        assertThat(
                        advice(
                                "S,'image':'server','env':[{'name':'TOKEN','secretRef':'s/t'},"
                                        + "{'name':'FILE','secretRef':'s/f','mountPath':'/f'}],"
                                        + "'env_from':[{'secretRef':{'name':'more'}}]"))
                .singleElement()
                .satisfies(
                        advice -> {
                            assertThat(advice.reason()).isEqualTo("SecretInEnvironment");
                            assertThat(advice.message())
                                    .contains("docker inspect: TOKEN, all of Secret more;")
                                    .doesNotContain("FILE");
                        });
    }

    @Test
    void secretsOfASandboxAreReportedToo() {
        assertThat(
                        Sandbox.DESCRIPTOR.advice(
                                document(
                                        "Sandbox",
                                        "'image':'i','env':[{'name':'TOKEN','secretRef':'s'}]")))
                .extracting(Advice::reason)
                .containsExactly("SecretInEnvironment");
    }
}
