package dev.orloj.server.access;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.token.SigningKeyTable;
import dev.orloj.server.store.token.UserTokenTable;
import dev.orloj.server.token.AccountTokens;
import dev.orloj.server.token.DefaultAccounts;
import dev.orloj.server.token.ServiceAccounts;
import dev.orloj.server.token.SigningKeys;
import dev.orloj.server.token.TokenGrants;
import dev.orloj.server.token.TokenServices;
import dev.orloj.server.token.Tokens;
import dev.orloj.server.token.UserTokens;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.InstantSource;

import javax.sql.DataSource;

/** Wires the tokens that the HTTPS port accepts. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("orloj.https.port")
class TokenConfiguration {

    @Bean
    ServiceAccounts serviceAccounts(ResourceClient client) {
        return new ServiceAccounts(client);
    }

    @Bean
    DefaultAccounts defaultAccounts(ResourceClient client, ServiceAccounts accounts) {
        return new DefaultAccounts(client, accounts);
    }

    @Bean
    TokenServices tokenServices(
            ServiceAccounts accounts,
            RbacAuthorizer authorizer,
            DataSource pool,
            SecretCipher cipher,
            InstantSource clock) {
        AccountTokens accountTokens =
                new AccountTokens(
                        new SigningKeys(new SigningKeyTable(pool, cipher), clock), accounts, clock);
        UserTokens userTokens = new UserTokens(new UserTokenTable(pool), clock);
        return new TokenServices(
                new Tokens(accountTokens, accounts, userTokens, clock),
                accounts,
                accountTokens,
                userTokens,
                new TokenGrants(authorizer, clock));
    }
}
