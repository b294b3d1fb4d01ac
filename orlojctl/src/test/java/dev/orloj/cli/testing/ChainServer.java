package dev.orloj.cli.testing;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;

import dev.orloj.api.testing.TestChains;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** An HTTPS port at 127.0.0.1 that presents whatever certificates it is given. */
public final class ChainServer implements AutoCloseable {

    private final HttpsServer server;

    /**
     * @param beforeHandshake runs for each connection
     */
    public ChainServer(List<X509Certificate> chain, Runnable beforeHandshake)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {new Keys(chain)}, null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(context) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        beforeHandshake.run();
                        super.configure(parameters);
                    }
                });
        server.start();
    }

    /** Presents certificates of {@link TestChains}. */
    public static ChainServer of(String... names) throws IOException, GeneralSecurityException {
        return new ChainServer(TestChains.of(names), () -> {});
    }

    /** Returns the host and the port. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static final class Keys extends X509ExtendedKeyManager {

        private static final String ALIAS = "server";

        private final X509Certificate[] chain;

        Keys(List<X509Certificate> chain) {
            this.chain = chain.toArray(X509Certificate[]::new);
        }

        @Override
        public String chooseEngineServerAlias(
                String keyType, Principal[] issuers, SSLEngine engine) {
            return keyType.equals("EC") ? ALIAS : null;
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return keyType.equals("EC") ? ALIAS : null;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain.clone();
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return TestChains.key();
        }
    }
}
