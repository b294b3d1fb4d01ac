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
class TokenConfiguration {

    private static final String HTTPS_PORT = "orloj.https.port";

    /** They can be listed without the port too. */
    @Bean
    UserTokens userTokens(DataSource pool, InstantSource clock) {
        return new UserTokens(new UserTokenTable(pool), clock);
    }

    @Bean
    @ConditionalOnProperty(HTTPS_PORT)
    ServiceAccounts serviceAccounts(ResourceClient client) {
        return new ServiceAccounts(client);
    }

    @Bean
    @ConditionalOnProperty(HTTPS_PORT)
    DefaultAccounts defaultAccounts(ResourceClient client, ServiceAccounts accounts) {
        return new DefaultAccounts(client, accounts);
    }

    @Bean
    @ConditionalOnProperty(HTTPS_PORT)
    TokenServices tokenServices(
            ServiceAccounts accounts,
            UserTokens userTokens,
            RbacAuthorizer authorizer,
            DataSource pool,
            SecretCipher cipher,
            InstantSource clock) {
        AccountTokens accountTokens =
                new AccountTokens(
                        new SigningKeys(new SigningKeyTable(pool, cipher), clock), accounts, clock);
        return new TokenServices(
                new Tokens(accountTokens, accounts, userTokens, clock),
                accounts,
                accountTokens,
                new TokenGrants(authorizer, clock));
    }
}
