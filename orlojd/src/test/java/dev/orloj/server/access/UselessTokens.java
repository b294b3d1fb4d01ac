package dev.orloj.server.access;

import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.server.token.AccountTokens;
import dev.orloj.server.token.TokenServices;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tokens that were issued by a server and that it refuses. */
final class UselessTokens {

    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

    private final HttpsOrlojd orlojd;

    UselessTokens(HttpsOrlojd orlojd) {
        this.orlojd = orlojd;
    }

    /** Returns the tokens by what is wrong with each. */
    Map<String, String> all() throws Exception {
        HttpsClient owner = orlojd.owner();
        owner.post(ACCOUNTS, "{\"metadata\": {\"name\": \"useless\"}}");
        owner.post(ACCOUNTS, "{\"metadata\": {\"name\": \"deleted\"}}");
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("expired", issued("useless", AccountTokens.API_AUDIENCE, -1));
        tokens.put("for another audience", issued("useless", "https://other", 3600));
        tokens.put("of a deleted account", issued("deleted", AccountTokens.API_AUDIENCE, 3600));
        String forged = issued("useless", AccountTokens.API_AUDIENCE, 3600);
        tokens.put("with a wrong signature", forged.substring(0, forged.length() - 8) + "AAAAAAAA");
        owner.send("DELETE", ACCOUNTS + "/deleted", "");
        HttpsClient deleted = orlojd.bearer(tokens.get("of a deleted account"));
        // The server follows the accounts.
        await().until(() -> deleted.get("/api").code() == 401);
        HttpsClient.Answer created =
                owner.post(
                        "/apis/orloj.dev/v1/usertokens",
                        """
                        {"metadata": {"name": "useless"}, "spec": {"user": "ann"}}\
                        """);
        tokens.put("that was revoked", created.json().at("/status/token").asString());
        owner.send("DELETE", "/apis/orloj.dev/v1/usertokens/useless", "");
        return tokens;
    }

    private String issued(String account, String audience, long seconds) {
        TokenServices services = orlojd.orlojd().part(TokenServices.class);
        ServiceAccount found =
                services.accounts().find(new ResourceKey("default", account)).orElseThrow();
        return services.accountTokens()
                .issue(
                        new AccountTokens.Grant(
                                found,
                                List.of(audience),
                                Duration.ofSeconds(seconds),
                                Optional.empty()))
                .token();
    }
}
