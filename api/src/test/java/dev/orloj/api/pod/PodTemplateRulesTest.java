package dev.orloj.api.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

class PodTemplateRulesTest {

    private static final String WHOLE =
            """
            {'node_selector': {'topology.kubernetes.io/zone': 'a', 'disk': ''},
             'tolerations': [{'key': 'gpu', 'value': 'yes', 'effect': 'NoSchedule'},
               {'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60}],
             'affinity': {
               'nodeAffinity': {
                 'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [
                   {'matchExpressions': [{'key': 'disk', 'operator': 'In', 'values': ['ssd']}],
                    'matchFields': [{'key': 'metadata.name', 'operator': 'NotIn',
                      'values': ['n1']}]}]},
                 'preferredDuringSchedulingIgnoredDuringExecution': [
                   {'weight': 1, 'preference': {'matchExpressions': [
                     {'key': 'cores', 'operator': 'Gt', 'values': ['8']}]}}]},
               'podAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [
                 {'labelSelector': {'matchLabels': {'app': 'db'}}, 'namespaces': ['data'],
                  'topologyKey': 'kubernetes.io/hostname'}]},
               'podAntiAffinity': {'preferredDuringSchedulingIgnoredDuringExecution': [
                 {'weight': 100, 'podAffinityTerm': {'topologyKey': 'zone', 'namespaceSelector': {},
                   'labelSelector': {'matchExpressions': [
                     {'key': 'orloj.dev/managed', 'operator': 'Exists'}]}}}]}},
             'topology_spread_constraints': [{'maxSkew': 1, 'topologyKey': 'zone',
               'whenUnsatisfiable': 'ScheduleAnyway',
               'labelSelector': {'matchLabels': {'orloj.dev/managed': 'true'}}}],
             'priority_class_name': 'low', 'runtime_class_name': 'gvisor',
             'image_pull_secrets': ['regcred'], 'labels': {'team': 'web'},
             'annotations': {'acme.example/note': 'any text, of any kind'}}
            """;

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static List<String> errors(String template) {
        List<FieldError> errors = new ArrayList<>();
        PodTemplateRules.validate(
                FieldPath.of("pod"),
                Json.MAPPER.treeToValue(json(template), PodTemplate.class),
                errors);
        return errors.stream().map(FieldError::toString).toList();
    }

    private static List<String> schemaErrors(String template) {
        ObjectNode server =
                json(
                        "{'spec': {'transport': 'stdio', 'image': 'i', 'pod': %s}}"
                                .formatted(template));
        McpServer.DESCRIPTOR.schema().prune(server);
        return McpServer.DESCRIPTOR.schema().validate(server).stream()
                .map(FieldError::toString)
                .toList();
    }

    @Test
    void everyFieldOfKubernetesIsAcceptedAndWrittenAsItWasRead() {
        PodTemplate template = Json.MAPPER.treeToValue(json(WHOLE), PodTemplate.class);

        assertThat(schemaErrors(WHOLE)).isEmpty();
        assertThat(errors(WHOLE)).isEmpty();
        ObjectNode written = Json.MAPPER.valueToTree(template);
        assertThat(written.toString()).isEqualTo(json(WHOLE).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'securityContext':{}}                | spec.pod.securityContext: Forbidden:"
                        + " unknown",
                "{'host_network':true}                 | spec.pod.host_network: Forbidden: unknown",
                "{'volumes':[]}                        | the fields of spec.pod are affinity,",
                "{'service_account_name':'admin'}      | spec.pod.service_account_name: Forbidden",
                "{'tolerations':[{'seconds':1}]}       | spec.pod.tolerations[0].seconds:"
                        + " Forbidden",
                "{'tolerations':[{'effect':'Never'}]}  | spec.pod.tolerations[0].effect:"
                        + " Unsupported",
                "{'topology_spread_constraints':[{}]}  | maxSkew: Required value",
                "{'labels':{'a':1}}                    | spec.pod.labels[a]"
            })
    void schemaKnowsNoFieldThatIsolates(String template, String error) {
        assertThat(String.join("\n", schemaErrors(template))).contains(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'node_selector':{'a b':'c'}}               | pod.node_selector: Invalid value:"
                        + " \"a b\"",
                "{'node_selector':{'a':'-'}}                 | pod.node_selector[a]: Invalid value:"
                        + " \"-\"",
                "{'tolerations':[{'value':'x'}]}             | operator: Invalid value: \"\": must"
                        + " be Exists",
                "{'tolerations':[{'key':'a','operator':'Exists','value':'x'}]} | value: Invalid"
                        + " value",
                "{'tolerations':[{'key':'a','tolerationSeconds':1}]} | must be NoExecute",
                "{'priority_class_name':'system-node-critical'} | is for the programs of the"
                        + " cluster",
                "{'priority_class_name':'High'}              | pod.priority_class_name: Invalid"
                        + " value",
                "{'runtime_class_name':'a_b'}                | pod.runtime_class_name: Invalid"
                        + " value",
                "{'image_pull_secrets':['a','B']}            | pod.image_pull_secrets[1]: Invalid"
                        + " value",
                "{'labels':{'orloj.dev/network':'bridge'}}   | pod.labels[orloj.dev/network]:"
                        + " Forbidden",
                "{'labels':{'x.orloj.dev/a':'b'}}            | pod.labels[x.orloj.dev/a]:"
                        + " Forbidden",
                "{'labels':{'app.kubernetes.io/managed-by':'me'}} | only orlojd decides",
                "{'labels':{'a':'no space'}}                 | pod.labels[a]: Invalid value",
                "{'annotations':{'container.apparmor.security.beta.kubernetes.io/server':'unconfined'}}"
                    + " | only orlojd decides",
                "{'affinity':{'node':{}}}                    | pod.affinity.node: Forbidden:"
                    + " unknown field; the fields of pod.affinity are nodeAffinity, podAffinity,"
                    + " podAntiAffinity",
                "{'affinity':{'nodeAffinity':null}}          | pod.affinity.nodeAffinity: Invalid"
                        + " value",
                "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{}]}}}"
                    + " | [0].topologyKey: Required value",
                "{'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':101,'podAffinityTerm':{'topologyKey':'z'}}]}}}"
                    + " | weight: Invalid value: 101: must be a number from 1 to 100"
            })
    void errorNamesFieldValueAndRemedy(String template, String error) {
        assertThat(errors(template)).singleElement().asString().contains(error);
    }

    @Test
    void annotationsAndAffinityHaveABound() {
        String note = "'a%d': '" + "x".repeat(4_000) + "'";
        String notes = "%s, %s, %s, %s, %s".formatted(note, note, note, note, note);
        String names = "'x',".repeat(33).replaceAll(",$", "");

        assertThat(errors("{'annotations': {%s}}".formatted(notes.formatted(1, 2, 3, 4, 5))))
                .containsExactly("pod.annotations: Too long: may not be more than 16384 bytes");
        assertThat(
                        errors(
                                """
                                {'affinity': {'podAffinity':
                                  {'requiredDuringSchedulingIgnoredDuringExecution':
                                    [{'topologyKey': 'z', 'namespaces': [%s]}]}}}\
                                """
                                        .formatted(names)))
                .singleElement()
                .asString()
                .contains("namespaces: Too many: 33: must have at most 32 entries");
    }
}
