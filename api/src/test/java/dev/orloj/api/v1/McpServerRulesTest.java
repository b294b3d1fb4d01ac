package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldError;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

class McpServerRulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`{'transport':'stdio'}` | spec.command: Required value: command is required with"
                        + " transport stdio, unless image is set",
                "`{'transport':'stdio','command':'  '}` | spec.command: Required value: command is"
                        + " required with transport stdio, unless image is set",
                "`{'transport':'stdio','command':'a','endpoint':'http://h'}` | spec.endpoint:"
                        + " Forbidden: only with transport http or sse",
                "`{'transport':'stdio','command':'a','auth':{'secretRef':'s'}}` | spec.auth:"
                        + " Forbidden: only with transport http or sse",
                "`{'transport':'stdio','command':'a','resources':{'memory':'1g'}}` |"
                        + " spec.resources: Forbidden: only together with image",
                "`{'transport':'stdio','command':'a','image_pull_secret':'s'}` |"
                        + " spec.image_pull_secret: Forbidden: only together with image",
                "`{'transport':'stdio','command':'a\\u0000b'}` | `spec.command: Invalid value:"
                        + " \"...\": must not contain a NUL character`",
                "`{'transport':'stdio','command':'a','args':['x','\\u0000']}` | `spec.args[1]:"
                        + " Invalid value: \"...\": must not contain a NUL character`",
                "`{'transport':'stdio','command':'a','env':[{'name':'A=B','value':''}]}` |"
                    + " `spec.env[0].name: Invalid value: \"A=B\": must not be empty and must not"
                    + " contain '='`",
                "`{'transport':'stdio','command':'a','env':[{'name':'A','value':'x','secretRef':'s'}]}`"
                    + " | `spec.env[0]: Invalid value: \"A\": value and secretRef exclude each"
                    + " other`",
                "`{'transport':'stdio','command':'a','env':[{'name':'A','value':'\\u0000'}]}` |"
                        + " `spec.env[0].value: Invalid value: \"...\": must not contain a NUL"
                        + " character`",
                "`{'transport':'stdio','command':'a','env':[{'name':'A','secretRef':'a/b/c'}]}` |"
                        + " `spec.env[0].secretRef: Invalid value: \"a/b/c\": must be the name of a"
                        + " Secret, or name/key of one`",
                "`{'transport':'stdio','command':'a','env':[{'name':'A','secretRef':'s','mountPath':'/x'}]}`"
                    + " | spec.env[0].mountPath: Forbidden: only together with image",
                "`{'transport':'stdio','image':'i','env':[{'name':'A','secretRef':'s','mountPath':'x'}]}`"
                    + " | `spec.env[0].mountPath: Invalid value: \"x\": must be an absolute path"
                    + " without . and .., and without / at its end`",
                "`{'transport':'stdio','image':'i','env':[{'name':'A','value':'v','mountPath':'/x'}]}`"
                    + " | spec.env[0].mountPath: Required value: a mounted variable takes its value"
                    + " by secretRef",
                "`{'transport':'stdio','command':'a','env_from':[{'prefix':'P_'}]}` |"
                        + " spec.env_from[0]: Required value: give configMapRef or secretRef",
                "`{'transport':'stdio','command':'a','env_from':[{'configMapRef':{'name':'c'},'secretRef':{'name':'s'}}]}`"
                    + " | `spec.env_from[0]: Invalid value: \"s\": configMapRef and secretRef"
                    + " exclude each other`",
                "`{'transport':'http','endpoint':'http://h','env_from':[{'secretRef':{'name':'s'}}]}`"
                    + " | spec.env_from: Forbidden: only with transport stdio",
                "`{'transport':'stdio','command':'a','tool_policy':{'pins':{'server/run':'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}}}`"
                    + " | `spec.tool_policy.pins[server/run]: Invalid value: \"server/run\": must"
                    + " be server/instructions, server/info or server/runs, or \"tool/server/run\""
                    + " for a tool`",
                "`{'transport':'stdio','command':'a','tool_policy':{'pins':{'':'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}}}`"
                    + " | `spec.tool_policy.pins: Invalid value: \"\": the name of a pin must not"
                    + " be empty`",
                "`{'transport':'stdio','command':'a','headers':[{'name':'X','value':'v'}]}` |"
                        + " spec.headers: Forbidden: only with transport http or sse",
                "`{'transport':'stdio','command':'a','scale_target_ref':{'name':'d'}}` |"
                        + " spec.scale_target_ref: Forbidden: only with transport http or sse",
                "`{'transport':'http','endpoint':'http://h','idle_timeout':'1m','scale_target_ref':{'name':'a/b'}}`"
                    + " | `spec.scale_target_ref.name: Invalid value: \"a/b\": must be the name of"
                    + " a Deployment or StatefulSet: at most 200 lower case letters, digits, '-'"
                    + " and '.', with a letter or digit at both ends`",
                "`{'transport':'http','endpoint':'http://h','scale_target_ref':{'name':'d'}}` |"
                    + " `spec.scale_target_ref: Forbidden: a server whose sessions stay open is"
                    + " never idle; set lifecycle: on_demand, and idle_timeout to more than 0 or"
                    + " not at all`",
                "`{'transport':'http','endpoint':'http://h','lifecycle':'on_demand','idle_timeout':'0s','scale_target_ref':{'name':'d'}}`"
                    + " | `spec.scale_target_ref: Forbidden: a server whose sessions stay open is"
                    + " never idle; set lifecycle: on_demand, and idle_timeout to more than 0 or"
                    + " not at all`",
                "`{'transport':'sse'}` | spec.endpoint: Required value: endpoint is required with"
                        + " transport http and sse",
                "`{'transport':'http','endpoint':'http://h','headers':[{'name':'a"
                    + " b','value':'v'}]}` | `spec.headers[0].name: Invalid value: \"a b\": must be"
                    + " the name of an HTTP header`",
                "`{'transport':'http','endpoint':'http://h','headers':[{'name':'Mcp-Name','value':'v'}]}`"
                    + " | `spec.headers[0].name: Forbidden: \"Mcp-Name\" is written by Orloj"
                    + " itself`",
                "`{'transport':'http','endpoint':'http://h','auth':{'secretRef':'s'},'headers':[{'name':'authorization','value':'v'}]}`"
                    + " | `spec.headers[0].name: Duplicate value: \"authorization\"`",
                "`{'transport':'http','endpoint':'http://h','headers':[{'name':'X'}]}` |"
                        + " spec.headers[0]: Required value: give value or secretRef",
                "`{'transport':'http','endpoint':'http://h','headers':[{'name':'X','value':'v','secretRef':'s'}]}`"
                    + " | `spec.headers[0]: Invalid value: \"X\": value and secretRef exclude each"
                    + " other`",
                "`{'transport':'sse','endpoint':'http://h','headers':[{'name':'X','value':'\\n"
                    + "'}]}` | `spec.headers[0].value: Invalid value: \"...\": must be printable"
                    + " ASCII on one line`",
                "`{'transport':'http','endpoint':'http://h','shutdown_grace':'1s'}` |"
                        + " spec.shutdown_grace: Forbidden: only with transport stdio",
                "`{'transport':'stdio','command':'a','health':{'timeout':'0'}}` |"
                        + " `spec.health.timeout: Invalid value: \"0\": must be longer than 0`",
                "`{'transport':'stdio','command':'a','singleton':true,'max_sessions':2}` |"
                        + " `spec.max_sessions: Invalid value: 2: must be 1 or absent, for"
                        + " singleton is true`",
                "`{'transport':'stdio','command':'a','singleton':true,'session_scope':'agent'}` |"
                    + " `spec.session_scope: Invalid value: \"agent\": must be shared or absent,"
                    + " for singleton is true`",
                "`{'transport':'stdio','command':'a','max_sessions':1,'session_scope':'call'}` |"
                        + " `spec.session_scope: Invalid value: \"call\": must be shared or absent,"
                        + " for max_sessions is 1`",
                "`{'transport':'stdio','command':'a','singleton':true,'shutdown_grace':'6s'}` |"
                        + " `spec.shutdown_grace: Invalid value: \"6s\": must be at most 5s, for"
                        + " singleton is true: a replica that loses the server must have ended it"
                        + " before another may start it`",
                "`{'transport':'stdio','command':'a','startup_timeout':'0'}` |"
                        + " `spec.startup_timeout: Invalid value: \"0\": must be longer than 0`",
                "`{'transport':'stdio','command':'a','rate_limit':{'calls':1,'period':'0s'}}` |"
                        + " `spec.rate_limit.period: Invalid value: \"0s\": must be longer than 0`",
                "`{'transport':'stdio','command':'a','circuit_breaker':{'window':'0'}}` |"
                    + " `spec.circuit_breaker.window: Invalid value: \"0\": must be longer than 0`",
                "`{'transport':'stdio','command':'a','circuit_breaker':{'open_for':'0'}}` |"
                    + " `spec.circuit_breaker.open_for: Invalid value: \"0\": must be longer than"
                    + " 0`",
                "`{'transport':'http'}` | spec.endpoint: Required value: endpoint is required with"
                        + " transport http and sse",
                "`{'transport':'http','endpoint':'ftp://h/x'}` | `spec.endpoint: Invalid value:"
                        + " \"ftp://h/x\": must be a URL such as https://mcp.example.com/mcp`",
                "`{'transport':'http','endpoint':'https:///x'}` | `spec.endpoint: Invalid value:"
                        + " \"https:///x\": must be a URL such as https://mcp.example.com/mcp`",
                "`{'transport':'http','endpoint':'http://u:p@h/'}` | `spec.endpoint: Forbidden:"
                        + " credentials in a URL; put them into a Secret and use auth`",
                "`{'transport':'http','endpoint':'http://h','command':'a'}` | spec.command:"
                        + " Forbidden: only with transport stdio",
                "`{'transport':'http','endpoint':'http://h','args':['a']}` | spec.args: Forbidden:"
                        + " only with transport stdio",
                "`{'transport':'http','endpoint':'http://h','env':[{'name':'A','value':'v'}]}` |"
                        + " spec.env: Forbidden: only with transport stdio",
                "`{'transport':'http','endpoint':'http://h','image':'i'}` | spec.image: Forbidden:"
                        + " only with transport stdio",
                "`{'transport':'http','endpoint':'http://h','resources':{}}` | spec.resources:"
                        + " Forbidden: only with transport stdio",
                "`{'transport':'http','endpoint':'http://h','image_pull_secret':'s'}` |"
                        + " spec.image_pull_secret: Forbidden: only with transport stdio",
                "`{'transport':'http','endpoint':'http://h','auth':{'secretRef':'S'}}` |"
                    + " `spec.auth.secretRef: Invalid value: \"S\": must be the name of a Secret,"
                    + " or name/key of one`",
                "`{'transport':'http','endpoint':'http://h','auth':{'secretRef':'s','profile':'api_key_header','headerName':'a"
                    + " b'}}` | `spec.auth.headerName: Invalid value: \"a b\": must be the name of"
                    + " an HTTP header`",
            })
    void refuses(String spec, String expected) {
        assertThat(check(spec)).extracting(FieldError::toString).containsExactly(expected);
    }

    @Test
    void endpointThatIsNoUrlSaysWhy() {
        assertThat(check("{'transport':'http','endpoint':'http://a b'}"))
                .singleElement()
                .asString()
                .startsWith("spec.endpoint: Invalid value: \"http://a b\": must be a URL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'transport':'stdio','command':'npx a b','args':['c']}",
                "{'transport':' STDIO ','command':'npx'}",
                "{'transport':'stdio','image':'i'}",
                "{'transport':'stdio','command':'a','env':[{'name':'EMPTY','value':''}]}",
                "{'transport':'stdio','command':'a','env':[{'name':'UNSET'}]}",
                "{'transport':'stdio','command':'a','idle_timeout':'0'}",
                "{'transport':'http','endpoint':'http://127.0.0.1:3000/mcp?x=y'}",
                "{'transport':'Http','endpoint':'HTTPS://h'}",
            })
    void accepts(String spec) {
        assertThat(check(spec)).isEmpty();
    }

    @Test
    void nameMustBeALabel() {
        ObjectNode document = document("{'transport':'stdio','command':'a'}");
        ((ObjectNode) document.get("metadata")).put("name", "a.b");

        assertThat(DocumentCheck.of(McpServer.DESCRIPTOR, document).errors())
                .singleElement()
                .asString()
                .startsWith("metadata.name: Invalid value: \"a.b\": a lowercase RFC 1123 label");
    }

    @Test
    void allErrorsAreReportedAtOnce() {
        assertThat(check("{'transport':'stdio','endpoint':'x','auth':{'secretRef':'s'}}"))
                .extracting(e -> e.path().toString())
                .containsExactly("spec.command", "spec.endpoint", "spec.auth");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`{}` | spec.auth.secretRef: Required value: give secretRef or oauth",
                "`{'secretRef':'s','oauth':{'clientId':'c','clientSecretRef':'s'}}` |"
                        + " spec.auth.secretRef: Forbidden: secretRef and oauth exclude each other",
                "`{'profile':'api_key_header','oauth':{'clientId':'c','clientSecretRef':'s'}}` |"
                    + " spec.auth.profile: Forbidden: access tokens of oauth are sent as bearer",
                "`{'oauth':{'clientId':'c'}}` |"
                        + " spec.auth.oauth: Required value: give clientSecretRef or privateKeyRef",
                "`{'oauth':{'clientSecretRef':'s'}}` |"
                        + " spec.auth.oauth.clientId: Required value: give the id of the client",
                "`{'oauth':{'clientId':'c','clientSecretRef':'s','loginSecret':'l'}}` |"
                        + " `spec.auth.oauth.loginSecret: Forbidden: only with grantType:"
                        + " authorization_code`",
                "`{'oauth':{'clientId':'c','clientSecretRef':'s','authorizationUrl':'https://h'}}`"
                        + " | `spec.auth.oauth.authorizationUrl: Forbidden: only with grantType:"
                        + " authorization_code`",
                "`{'oauth':{'grantType':'authorization_code','clientSecretRef':'s'}}` |"
                        + " `spec.auth.oauth.clientId: Required value: give the id of the client;"
                        + " only a client without credentials, at an authorization server with"
                        + " metadata, registers itself`",
                "`{'oauth':{'grantType':'authorization_code','clientId':'c','tokenUrl':'https://h'}}`"
                    + " | `spec.auth.oauth.authorizationUrl: Required value: authorizationUrl and"
                    + " tokenUrl require each other`",
                "`{'oauth':{'grantType':'authorization_code','loginSecret':'No Name'}}` |"
                        + " `spec.auth.oauth.loginSecret: Invalid value: \"No Name\": a lowercase"
                        + " RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                        + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                        + " 'example.com')`",
                "`{'oauth':{'clientId':'c','clientSecretRef':'s','privateKeyRef':'k'}}` |"
                        + " `spec.auth.oauth: Invalid value: \"c\": clientSecretRef and"
                        + " privateKeyRef exclude each other`",
                "`{'oauth':{'clientId':'c','privateKeyRef':'k','tokenEndpointAuthMethod':'client_secret_post'}}`"
                    + " | `spec.auth.oauth.tokenEndpointAuthMethod: Invalid value:"
                    + " \"client_secret_post\": private_key_jwt needs privateKeyRef, and the others"
                    + " need clientSecretRef`",
                "`{'oauth':{'clientId':'c','clientSecretRef':'s','issuer':'file:///etc'}}` |"
                        + " `spec.auth.oauth.issuer: Invalid value: \"file:///etc\": must be a URL"
                        + " such as https://login.example.com, without user and fragment`",
                "`{'oauth':{'clientId':'c','clientSecretRef':'s','scopes':['a b']}}` |"
                        + " `spec.auth.oauth.scopes[0]: Invalid value: \"a b\": must be one scope,"
                        + " without spaces and quotes`",
                "`{'oauth':{'clientId':'c','clientSecretRef':'s','audience':'a'}}` |"
                        + " `spec.auth.oauth.audience: Forbidden: only with grantType:"
                        + " urn:ietf:params:oauth:grant-type:token-exchange`",
                "`{'oauth':{'grantType':'urn:ietf:params:oauth:grant-type:token-exchange',"
                        + "'clientId':'c','clientSecretRef':'s'}}` |"
                        + " `spec.auth.oauth.issuer: Required value: give the issuer of the tokens"
                        + " of the users; they are exchanged there and nowhere else`",
                "`{'oauth':{'grantType':'urn:ietf:params:oauth:grant-type:token-exchange',"
                    + "'clientId':'c','clientSecretRef':'s','issuer':'https://h','tokenUrl':'https://x'}}`"
                    + " | `spec.auth.oauth.tokenUrl: Forbidden: the token of a user goes to the"
                    + " token endpoint in the metadata of its issuer only; remove the field`",
                "`{'oauth':{'grantType':'urn:ietf:params:oauth:grant-type:token-exchange',"
                        + "'clientId':'c','issuer':'https://h'}}` |"
                        + " `spec.auth.oauth: Required value: give clientSecretRef or"
                        + " privateKeyRef`"
            })
    void oauthHasAClientAndOneCredential(String auth, String error) {
        assertThat(check("{'transport':'http','endpoint':'http://h','auth':%s}".formatted(auth)))
                .singleElement()
                .asString()
                .isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`'singleton':true` | `spec.singleton: Invalid value: true: must be absent`",
                "`'session_scope':'shared'` | `spec.session_scope: Invalid value: \"shared\": must"
                        + " be absent`",
                "`'max_sessions':1` | `spec.max_sessions: Invalid value: 1: must be at least 2`"
            })
    void exchangeOfTokensRequiresASessionForEachUser(String sharing, String error) {
        String oauth =
                "{'grantType':'urn:ietf:params:oauth:grant-type:token-exchange','clientId':'c',"
                        + "'clientSecretRef':'s','issuer':'https://h'}";
        String spec = "{'transport':'http','endpoint':'http://h','auth':{'oauth':%s}%s}";

        assertThat(check(spec.formatted(oauth, ""))).isEmpty();
        assertThat(check(spec.formatted(oauth, "," + sharing)))
                .singleElement()
                .asString()
                .isEqualTo(
                        error
                                + ": the exchange of tokens in spec.auth.oauth requires a session"
                                + " for each user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'grantType':'authorization_code'}",
                "{'grantType':'authorization_code','clientId':'c','clientSecretRef':'s'}",
                "{'grantType':'authorization_code','clientId':'c',"
                        + "'authorizationUrl':'https://h/a','tokenUrl':'https://h/t'}",
                "{'grantType':'client_credentials','clientId':'c','clientSecretRef':'s'}"
            })
    void aLoginNeedsNoCredentialOfTheClient(String oauth) {
        assertThat(
                        check(
                                "{'transport':'http','endpoint':'http://h','auth':{'oauth':%s}}"
                                        .formatted(oauth)))
                .isEmpty();
    }

    private static List<FieldError> check(String spec) {
        DocumentCheck check = DocumentCheck.of(McpServer.DESCRIPTOR, document(spec));
        assertThat(check.unknownFields()).isEmpty();
        return check.errors();
    }

    private static ObjectNode document(String spec) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"name": "x"}, "spec": %s}
                        """
                                .formatted(spec.replace('\'', '"')));
    }
}
