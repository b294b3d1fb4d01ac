package dev.orloj.server;

import dev.orloj.api.terminal.VisibleOutputStream;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.pod.PodEngine;
import dev.orloj.runtime.workload.Supervisor;
import dev.orloj.server.config.DatabaseStartup;
import dev.orloj.server.options.EffectiveConfiguration;
import dev.orloj.server.options.OrlojdOptions;
import dev.orloj.server.options.ServerVersion;
import dev.orloj.server.properties.ShutdownProperties;
import dev.orloj.server.rest.http.ShutdownDelay;
import dev.orloj.server.startup.ServiceManager;
import dev.orloj.server.startup.StartupFailure;
import dev.orloj.server.startup.StartupProgress;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;

import sun.misc.Signal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Starts the server, and stops it cleanly when the process receives a termination signal. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ComponentScan(
        excludeFilters = // other applications, such as those of tests
                @ComponentScan.Filter(
                        type = FilterType.ANNOTATION,
                        classes = SpringBootConfiguration.class))
@ConfigurationPropertiesScan
public class Orlojd {

    private static final Logger log = LoggerFactory.getLogger(Orlojd.class);

    /**
     * Runs the server. Exit codes: 0 stopped on request, 1 could not start, 2 invalid command line.
     */
    public static void main(String[] args) {
        // Logs and errors quote manifests and servers, and may be displayed in terminals.
        System.setOut(visible(FileDescriptor.out));
        System.setErr(visible(FileDescriptor.err));
        switch (OrlojdOptions.parse(System.getenv(), args)) {
            case OrlojdOptions.Parsed.Exit(int code) -> System.exit(code);
            case OrlojdOptions.Parsed.Run(Map<String, Object> properties, boolean printConfig) -> {
                if (printConfig) {
                    EffectiveConfiguration.print(asArguments(properties), System.out);
                } else {
                    run(properties);
                }
            }
        }
    }

    private static PrintStream visible(FileDescriptor descriptor) {
        return new PrintStream(
                new VisibleOutputStream(new FileOutputStream(descriptor)),
                true,
                StandardCharsets.UTF_8);
    }

    private static void run(Map<String, Object> properties) {
        UncaughtErrors.log();
        try {
            ServiceManager manager = ServiceManager.of(System.getenv());
            start(properties, manager, context -> stopWhenAsked(context, manager));
        } catch (Throwable failure) { // the edge of the process: report any failure and exit
            StartupFailure.of(failure).printTo(System.err);
            System.exit(1);
        }
    }

    /**
     * Starts a server inside this process; closing the context stops it.
     *
     * @param properties override every other source of configuration
     */
    public static ConfigurableApplicationContext start(Map<String, Object> properties) {
        return start(properties, ServiceManager.none(), context -> {});
    }

    /**
     * @param whenStarted called before the log says that orlojd is ready
     */
    private static ConfigurableApplicationContext start(
            Map<String, Object> properties,
            ServiceManager manager,
            Consumer<ConfigurableApplicationContext> whenStarted) {
        StartupProgress progress = new StartupProgress(manager);
        DatabaseStartup database = new DatabaseStartup(progress);
        SpringApplication application = new SpringApplication(Orlojd.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        application.addListeners(database);
        application.addInitializers(database);
        try {
            ConfigurableApplicationContext context = application.run(asArguments(properties));
            whenStarted.accept(context);
            log.atInfo()
                    .addKeyValue("url", url(context))
                    .addKeyValue("version", ServerVersion.CURRENT.number())
                    .addKeyValue("elapsed", progress.elapsed())
                    .log("orlojd is ready");
            manager.ready(url(context));
            return context;
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    /**
     * As Spring's own arguments, the properties take precedence over the environment and over
     * files.
     */
    private static String[] asArguments(Map<String, Object> properties) {
        return properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new);
    }

    /** Returns the URL of a running server. */
    public static String url(ConfigurableApplicationContext context) {
        WebServer server = ((WebServerApplicationContext) context).getWebServer();
        int port = Objects.requireNonNull(server).getPort();
        String host = context.getEnvironment().getProperty("server.address", "127.0.0.1");
        return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
    }

    /**
     * Stops everything cleanly on SIGTERM and SIGINT and exits with code 0, because the process did
     * what was requested. (By default, the JVM would exit with 143.)
     */
    private static void stopWhenAsked(
            ConfigurableApplicationContext context, ServiceManager manager) {
        Runnable stop =
                () -> {
                    manager.stopping(context.getBean(ShutdownProperties.class).total());
                    ShutdownDelay delay = context.getBean(ShutdownDelay.class);
                    hurryOnAnotherSignal(
                            delay,
                            context.getBean(Supervisor.class),
                            context.getBean(ContainerEngine.class),
                            context.getBeanProvider(PodEngine.class).getIfAvailable());
                    delay.await();
                    context.close();
                    log.atInfo().log("orlojd has stopped");
                    Runtime.getRuntime().halt(0);
                };
        Runtime.getRuntime().addShutdownHook(new Thread(stop, "orlojd-shutdown"));
    }

    /**
     * Kills the servers on a second signal, which ends their calls, instead of waiting for them.
     */
    private static void hurryOnAnotherSignal(
            ShutdownDelay delay,
            Supervisor processes,
            ContainerEngine containers,
            @Nullable PodEngine pods) {
        for (String name : List.of("TERM", "INT")) {
            Signal.handle(
                    new Signal(name),
                    signal -> {
                        delay.skip();
                        processes.abandonAll();
                        containers.abandonAll();
                        if (pods != null) {
                            pods.abandonAll();
                        }
                    });
        }
    }
}
