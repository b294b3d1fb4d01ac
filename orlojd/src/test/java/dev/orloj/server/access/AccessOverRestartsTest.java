package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A data directory and a database that get an HTTPS port, and lose it again. */
@Timeout(180)
class AccessOverRestartsTest {

    private static final String ROLES = HttpsOrlojd.RBAC + "clusterroles";
    private static final String NARROWED =
            """
            [{"op": "replace", "path": "/rules", "value": []}]\
            """;

    @TempDir private Path data;

    @Test
    void rolesAppearWithThePortAndAreCompletedAtEachStart() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase()) {
            storeARoleWithoutThePort(database);
            narrowTwoRoles(database);
            String authority = authority();
            try (HttpsOrlojd orlojd = HttpsOrlojd.start(database, data, Map.of())) {
                HttpsClient owner = orlojd.owner();

                assertThat(owner.get(ROLES + "/caller").text()).contains("\"call\"");
                assertThat(owner.get(ROLES + "/system:monitoring").json().path("rules").size())
                        .isZero();
                assertThat(owner.get(ROLES + "/mine").code()).isEqualTo(200);
                assertThat(authority()).as("the authority stays").isEqualTo(authority);
            }
            try (RunningOrlojd open =
                    RunningOrlojd.start(database, Map.of("orloj.data-dir", data))) {
                assertThat(data.resolve("kubeconfig")).doesNotExist();
                open.client().get(ROLES + "/view").expect(200);
            }
        }
    }

    /** Status never lies: what nothing enforces says so. */
    private void storeARoleWithoutThePort(TestPostgres.Database database) {
        try (RunningOrlojd open = RunningOrlojd.start(database, Map.of("orloj.data-dir", data))) {
            RestClient.Answer stored =
                    open.client()
                            .post(
                                    ROLES,
                                    Map.of(
                                            "apiVersion",
                                            "rbac.authorization.k8s.io/v1",
                                            "kind",
                                            "ClusterRole",
                                            "metadata",
                                            Map.of("name", "mine")));

            assertThat(stored.code()).isEqualTo(201);
            assertThat(stored.warnings())
                    .singleElement()
                    .asString()
                    .contains("--insecure-allow-anonymous");
            assertThat(data.resolve("kubeconfig")).doesNotExist();
            assertThat(data.resolve("admin.token")).doesNotExist();
        }
    }

    private void narrowTwoRoles(TestPostgres.Database database) throws Exception {
        try (HttpsOrlojd orlojd = HttpsOrlojd.start(database, data, Map.of())) {
            HttpsClient owner = orlojd.owner();
            await().until(() -> owner.get(ROLES + "/view").json().path("rules").size() > 0);
            for (String role : new String[] {"caller", "system:monitoring"}) {
                assertThat(patch(owner, role, "application/json-patch+json", NARROWED))
                        .isEqualTo(200);
            }
            String kept =
                    """
                    {"metadata": {"annotations": {"rbac.authorization.kubernetes.io/autoupdate": "false"}}}\
                    """;
            assertThat(patch(owner, "system:monitoring", "application/merge-patch+json", kept))
                    .isEqualTo(200);
        }
    }

    private String authority() throws Exception {
        return Files.readString(data.resolve("kubeconfig"))
                .lines()
                .filter(line -> line.contains("certificate-authority-data"))
                .findFirst()
                .orElseThrow();
    }

    private static int patch(HttpsClient owner, String role, String type, String body)
            throws Exception {
        return owner.patch(ROLES + "/" + role, type, body).code();
    }
}
