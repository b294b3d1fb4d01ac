package dev.orloj.cli.http;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.ResourceClientContract;
import dev.orloj.cli.testing.FakeOrlojd;

import org.junit.jupiter.api.AfterEach;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

class HttpResourceClientTest extends ResourceClientContract {

    private final FakeOrlojd orlojd = new FakeOrlojd(new ManualClock());
    private final ResourceClient client =
            new HttpResourceClient(
                    new ApiConnection(
                            ServerLocation.find(Optional.of(orlojd.url()), Map.of()),
                            Optional.empty(),
                            Duration.ofSeconds(10),
                            warning -> {}));

    @AfterEach
    void stop() {
        orlojd.close();
    }

    @Override
    protected ResourceClient client() {
        return client;
    }
}
