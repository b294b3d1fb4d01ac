package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldError;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** What a manifest may say about containers; {@code S} stands for a stdio server. */
class McpServerContainerRulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`S,'command':'a','network':{'mode':'none'}` | spec.network: Forbidden: only"
                        + " together with image",
                "`S,'command':'a','image_pull_policy':'Never'` | spec.image_pull_policy: Forbidden:"
                        + " only together with image",
                "`S,'command':'a','trust_image_config':true` | spec.trust_image_config: Forbidden:"
                        + " only together with image",
                "`S,'command':'a','pod':{'node_selector':{'a':'b'}}` | spec.pod: Forbidden: only"
                        + " together with image",
                "`S,'image':'i','pod':{'priority_class_name':'system-x'}` |"
                        + " `spec.pod.priority_class_name: Invalid value: \"system-x\": is for the"
                        + " programs of the cluster itself; name another PriorityClass`",
                "`S,'image':'i','sandbox_ref':'s'` | spec.sandbox_ref: Forbidden: not together with"
                        + " image",
                "`S,'image':'i','attach':{'container':'c'}` | spec.attach: Forbidden: not together"
                        + " with image",
                "`S,'command':'a','sandbox_ref':'s','attach':{'container':'c'}` | spec.attach:"
                        + " Forbidden: not together with sandbox_ref",
                "`S,'sandbox_ref':'s'` | spec.command: Required value: command is required with"
                        + " transport stdio, unless image is set",
                "`S,'command':'a','sandbox_ref':'s','resources':{'memory':'1g'}` | spec.resources:"
                        + " Forbidden: only together with image",
                "`S,'command':'a','attach':{'container':'../c'}` | `spec.attach.container: Invalid"
                        + " value: \"../c\": must be the name or the id of a container`",
                "`S,'command':'a','attach':{'container':'c'},'env':[{'name':'A','secretRef':'s','mountPath':'/x'}]`"
                    + " | spec.env[0].mountPath: Forbidden: only together with image",
                "`S,'image':'i','resources':{'memory':'lots'}` | `spec.resources.memory: Invalid"
                        + " value: \"lots\": must be a size such as 512m, 1g or 64Mi`",
                "`S,'image':'i','resources':{'memory':'99999999999999t'}` | `spec.resources.memory:"
                    + " Invalid value: \"99999999999999t\": must be a whole number of bytes, and"
                    + " less than 8192 Pi`",
                "`S,'image':'i','resources':{'memory':'4m'}` | `spec.resources.memory: Invalid"
                        + " value: \"4m\": must be at least 6m, which is the least that the engine"
                        + " takes`",
                "`S,'image':'i','resources':{'cpus':'0'}` | `spec.resources.cpus: Invalid value:"
                        + " \"0\": must be at least 0.01`",
                "`S,'image':'i','resources':{'tmp_size':'0'}` | `spec.resources.tmp_size: Invalid"
                        + " value: \"0\": must be more than 0`",
                "`S,'image':'i','resources':{'user':'node'}` | `spec.resources.user: Invalid value:"
                        + " \"node\": must be a numeric uid, or uid:gid, such as 1000:1000`",
                "`S,'image':'i','resources':{'user':'4294967295'}` | `spec.resources.user: Invalid"
                        + " value: \"4294967295\": must be a numeric uid, or uid:gid, such as"
                        + " 1000:1000`",
                "`S,'image':'i','network':{'mode':'host'}` | `spec.network.mode: Unsupported value:"
                        + " \"host\": supported values: \"bridge\", \"isolated\", \"none\"`",
                "`S,'image':'i','network':{'mode':'none','allow_hosts':['a.b']}` |"
                        + " spec.network.allow_hosts: Forbidden: only together with mode isolated",
                "`S,'image':'i','network':{'allow_hosts':['https://a.b']}` |"
                        + " `spec.network.allow_hosts[0]: Invalid value: \"https://a.b\": must be a"
                        + " host in lower case, *.domain for all below one, or either with :port`",
                "`S,'image':'i','network':{'allow_hosts':['a.b:0']}` |"
                    + " `spec.network.allow_hosts[0]: Invalid value: \"a.b:0\": must be a host in"
                    + " lower case, *.domain for all below one, or either with :port`",
                "`S,'image':'i','network':{'allow_hosts':['a.b','a.b']}` |"
                        + " `spec.network.allow_hosts[1]: Duplicate value: \"a.b\"`",
                "`S,'command':'a','lifecycle':'always_on','idle_timeout':'5m'` |"
                        + " `spec.idle_timeout: Forbidden: not together with lifecycle always_on,"
                        + " whose session is never idle`",
                "`'transport':'http','endpoint':'http://h','image':'i'` | spec.image: Forbidden:"
                        + " only with transport stdio",
                "`'transport':'http','endpoint':'http://h','network':{}` | spec.network: Forbidden:"
                        + " only with transport stdio",
                "`'transport':'http','endpoint':'http://h','sandbox_ref':'s'` | spec.sandbox_ref:"
                        + " Forbidden: only with transport stdio",
                "`'transport':'http','endpoint':'http://h','attach':{'container':'c'}` |"
                        + " spec.attach: Forbidden: only with transport stdio",
            })
    void refuses(String spec, String expected) {
        assertThat(check(spec)).extracting(FieldError::toString).containsExactly(expected);
    }

    /** H-26: a secret is put where it is said, and nowhere that is the kernel's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "//",
                "/proc/1/environ",
                "/proc",
                "/sys/kernel",
                "/dev/null",
                "/secrets/../../etc/shadow",
                "/secrets/../proc/1/environ",
                "/secrets/./key",
                "/secrets/key/",
                "secrets/key",
                "/..",
            })
    void secretsAreMountedAtPlainPathsOnly(String path) {
        String spec =
                "S,'image':'i','env':[{'name':'A','secretRef':'s','mountPath':'%s'}]"
                        .formatted(path);

        assertThat(check(spec))
                .singleElement()
                .asString()
                .startsWith("spec.env[0].mountPath: Invalid value: \"" + path + "\": must ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "S,'image':'i','network':{'mode':'none'}",
                "S,'image':'i','network':{'allow_hosts':['a.b','*.c.d','e:8443','*.f.g:443']}",
                "S,'image':'i','network':{'mode':'isolated','allow_hosts':['203.0.113.7:80']}",
                "S,'image':'i','resources':{'memory':'1Gi','cpus':'500m','user':'1000:0','tmp_size':'1g'}",
                "S,'image':'i','image_pull_policy':'IfNotPresent','trust_image_config':true",
                "S,'image':'i','pod':{'node_selector':{'disk':'ssd'}}",
                "S,'command':'a','sandbox_ref':'tools'",
                "S,'command':'a','attach':{'container':'dev_1'},'env':[{'name':'A','secretRef':'s'}]",
                "S,'command':'a','lifecycle':'always_on','idle_timeout':'0'",
                "S,'command':'a','lifecycle':'on_demand','idle_timeout':'1m'",
                "'transport':'http','endpoint':'http://h','lifecycle':'always_on'",
            })
    void accepts(String spec) {
        assertThat(check(spec)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gmail",
                "mcp/gmail",
                "mcp/gmail:latest",
                "library/a__b/c-d/e.f_g:V1.2-rc_3",
                "ghcr.io/github/github-mcp-server:v1",
                "Registry.Example.COM:5000/team/server",
                "localhost/server",
                "localhost:5000/server:1",
                "docker:5000/server",
                "[::1]:5000/server",
                "a16fd4e6db21",
                "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "mcp/gmail@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "mcp/gmail:1@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            })
    void knowsImages(String image) {
        assertThat(check("S,'image':'" + image + "'")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MCP/gmail",
                "mcp/Gmail",
                "mcp gmail",
                "mcp/gmail:",
                "mcp//gmail",
                "/mcp/gmail",
                "../containers/json",
                "https://ghcr.io/mcp/gmail",
                "mcp/gmail:1:2",
                "mcp/gmail@latest",
                "mcp/gmail?all=1",
                "-v/gmail",
            })
    void refusesWhatNoEngineTakesForAnImage(String image) {
        assertThat(check("S,'image':'" + image + "'"))
                .singleElement()
                .asString()
                .startsWith("spec.image: Invalid value: \"" + image + "\": must be an image");
    }

    private static List<FieldError> check(String spec) {
        String document =
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                 "metadata": {"name": "x"}, "spec": {%s}}
                """
                        .formatted(
                                spec.replaceFirst("^S", "'transport':'stdio'").replace('\'', '"'));
        DocumentCheck check =
                DocumentCheck.of(McpServer.DESCRIPTOR, (ObjectNode) Json.MAPPER.readTree(document));
        assertThat(check.unknownFields()).isEmpty();
        return check.errors();
    }
}
