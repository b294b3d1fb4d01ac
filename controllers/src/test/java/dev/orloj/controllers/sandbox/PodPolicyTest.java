package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.Json;
import dev.orloj.api.pod.PodTemplate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class PodPolicyTest {

    private static final FieldPath POD = FieldPath.of("spec", "pod");

    private static List<FieldError> check(PodPolicy policy, PolicyLevel level, String template) {
        return policy.check(
                POD,
                Json.MAPPER.readValue(template.replace('\'', '"'), PodTemplate.class),
                level,
                "");
    }

    @Test
    void keysOfLabelsAndAnnotationsAreThoseOfTheOperator() {
        PodPolicy policy = new PodPolicy(List.of("team", "acme.example/*"));
        String template =
                """
                {'labels': {'team': 'web', 'app': 'orloj', 'acme.example/tier': 'a'},
                 'annotations': {'acme.example.evil/x': 'y', 'acme.example/note': 'n'}}\
                """;

        assertThat(check(policy, PolicyLevel.PRIVILEGED, template))
                .extracting(error -> error.path().toString())
                .containsExactly(
                        "spec.pod.labels[app]", "spec.pod.annotations[acme.example.evil/x]");
        assertThat(check(PodPolicy.DEFAULT, PolicyLevel.PRIVILEGED, "{'labels': {'team': 'web'}}"))
                .extracting(FieldError::message)
                .containsExactly(
                        "Forbidden: programs of the cluster act on it, so the operator of orlojd"
                                + " has to allow it with --pod-metadata-key; allowed: none");
    }

    @Test
    void levelRestrictedKeepsServersOffReservedNodesAndPriorities() {
        String template =
                """
                {'node_selector': {'disk': 'ssd'}, 'priority_class_name': 'high',
                 'tolerations': [{'operator': 'Exists'}]}\
                """;

        assertThat(check(PodPolicy.DEFAULT, PolicyLevel.BASELINE, template)).isEmpty();
        assertThat(check(PodPolicy.DEFAULT, PolicyLevel.RESTRICTED, template))
                .extracting(error -> error.path().toString())
                .containsExactly("spec.pod.tolerations", "spec.pod.priority_class_name");
    }

    @Test
    void runtimeOfTheOperatorIsNotReplaced() {
        PodTemplate template =
                Json.MAPPER.readValue("{\"runtime_class_name\": \"runc\"}", PodTemplate.class);

        assertThat(PodPolicy.DEFAULT.check(POD, template, PolicyLevel.BASELINE, "gvisor"))
                .extracting(FieldError::toString)
                .containsExactly(
                        "spec.pod.runtime_class_name: Invalid value: \"runc\":"
                                + " --tool-container-runtime sets \"gvisor\" for all servers;"
                                + " remove the field");
        assertThat(PodPolicy.DEFAULT.check(POD, template, PolicyLevel.BASELINE, "runc")).isEmpty();
        assertThat(PodPolicy.DEFAULT.check(POD, template, PolicyLevel.BASELINE, "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "*/team", "a/b/c", "a b"})
    void keyThatIsNoneIsRefusedWithTheOption(String key) {
        assertThatThrownBy(() -> new PodPolicy(List.of(key)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--pod-metadata-key \"%s\"".formatted(key));
    }
}
