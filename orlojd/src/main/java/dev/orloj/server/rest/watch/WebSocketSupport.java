package dev.orloj.server.rest.watch;

import org.apache.tomcat.websocket.server.WsSci;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

import java.util.Set;

/** Starts Tomcat's web sockets, which an embedded Tomcat omits. */
@Component
class WebSocketSupport implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.addServletContainerInitializer(new WsSci(), Set.of()));
    }
}
