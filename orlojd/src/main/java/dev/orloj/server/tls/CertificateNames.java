package dev.orloj.server.tls;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names and addresses in the certificate of the server.
 *
 * @param names host names
 * @param addresses IP addresses, as {@link InetAddress#getHostAddress} writes them, without a scope
 */
public record CertificateNames(Set<String> names, Set<String> addresses) {

    private static final Logger log = LoggerFactory.getLogger(CertificateNames.class);

    /**
     * Returns those of this machine, and more.
     *
     * @param more host names or IP addresses
     */
    public static CertificateNames ofThisMachine(Collection<String> more) {
        CertificateNames all =
                new CertificateNames(new TreeSet<>(Set.of("localhost")), new TreeSet<>());
        all.addresses.add("127.0.0.1");
        all.addresses.add("0:0:0:0:0:0:0:1");
        try {
            all.add(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            log.atDebug().log("The host has no name of its own");
        }
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .forEach(address -> all.addresses.add(withoutScope(address.getHostAddress())));
        } catch (SocketException e) {
            log.atWarn()
                    .addKeyValue("error", e.toString())
                    .log("The addresses of this machine cannot be read; add them with --tls-san");
        }
        more.forEach(all::add);
        return all;
    }

    private void add(String name) {
        boolean isAddress = name.contains(":") || name.matches("[0-9.]+");
        if (isAddress) {
            addresses.add(withoutScope(InetAddress.ofLiteral(name).getHostAddress()));
        } else if (!name.isBlank()) {
            names.add(name.toLowerCase(Locale.ROOT));
        }
    }

    private static String withoutScope(String address) {
        int scope = address.indexOf('%');
        return scope < 0 ? address : address.substring(0, scope);
    }
}
