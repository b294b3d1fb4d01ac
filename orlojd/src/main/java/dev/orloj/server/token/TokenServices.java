package dev.orloj.server.token;

/** What the endpoints for tokens need. There is one while the HTTPS port is on. */
public record TokenServices(
        Tokens tokens, ServiceAccounts accounts, AccountTokens accountTokens, TokenGrants grants) {}
