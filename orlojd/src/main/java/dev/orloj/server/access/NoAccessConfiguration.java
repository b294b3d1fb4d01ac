package dev.orloj.server.access;

import dev.orloj.server.certificate.KubeconfigWriter;
import dev.orloj.server.config.DataDirectory;
import dev.orloj.server.properties.AuthenticationProperties;
import dev.orloj.server.properties.InvalidConfigurationException;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Without the number of the HTTPS port there is none, and no kubeconfig that leads to it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "orloj.https.port", matchIfMissing = true, havingValue = "none")
class NoAccessConfiguration {

    @Bean
    ApplicationListener<WebServerInitializedEvent> withdrawnKubeconfig(
            DataDirectory data, AuthenticationProperties authentication) {
        if (authentication.configFile() != null) {
            throw new InvalidConfigurationException(
                    "orloj.authentication.config-file (--authentication-config) is for the users of"
                            + " the HTTPS port; add --https-port, or leave it out");
        }
        return _ -> {
            try {
                KubeconfigWriter.withdraw(data.path().resolve("kubeconfig"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
