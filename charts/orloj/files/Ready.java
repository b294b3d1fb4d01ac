import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks the Service whether orlojd is ready, and whether it refuses a request without a token. */
class Ready {

    static final HttpClient CLIENT = client();

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        expect(url + "/readyz", 200);
        expect(url + "/version", 200);
        expect(url + "/apis/orloj.dev/v1/namespaces/default/mcpservers", 401);
    }

    static void expect(String url, int code) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build();
        HttpResponse<String> response =
                CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + url);
        if (response.statusCode() != code) {
            System.err.println("expected " + code + ": " + response.body());
            System.exit(1);
        }
    }

    /** The test sends no secret, so it needs no authority for the certificate. */
    static HttpClient client() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyServer()}, new SecureRandom());
            return HttpClient.newBuilder()
                    .sslContext(context)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static class AnyServer extends X509ExtendedTrustManager {
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket s) {}

        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine e) {}

        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket s) {}

        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine e) {}

        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
