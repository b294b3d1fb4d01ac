package dev.orloj.runtime.network;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Manages the rules of the host's firewall for all bridges whose names have a certain prefix:
 * containers behind them reach the internet, but no non-public address. The rules are in separate
 * chains, to which Docker's {@code DOCKER-USER} and the host's {@code INPUT} jump, so they apply to
 * a bridge from its creation on. Thread-safe.
 */
public final class Firewall implements AutoCloseable {

    private static final Path IPV6 = Path.of("/proc/net/if_inet6");
    private static final String HOOKS = "DOCKER-USER";

    private final String prefix;
    private final String forward;
    private final String input;
    private final Supplier<List<String>> nameServers;
    private final FirewallProgram program = new FirewallProgram();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Opening> openings =
            new TreeSet<>(Comparator.comparing(Opening::bridge).thenComparing(Opening::port));

    /** Orloj's rules as the program lists them after they were set; empty before. */
    private List<String> seen = List.of();

    private List<String> seen6 = List.of();

    /**
     * @param prefix prefix of the names of bridges, letters and digits
     * @param nameServers name servers that containers may use, regardless of their addresses
     */
    public Firewall(String prefix, Supplier<List<String>> nameServers) {
        this.prefix = prefix;
        this.nameServers = nameServers;
        this.forward = "ORLOJ-FORWARD-" + prefix;
        this.input = "ORLOJ-INPUT-" + prefix;
    }

    /**
     * Ensures that all rules are in place, before all other rules.
     *
     * @throws FirewallException when the rules cannot be set
     */
    public void ensure() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (seen.isEmpty() || !own(show("iptables-save")).equals(seen)) {
                set4();
            }
            if (Files.exists(IPV6)
                    && (seen6.isEmpty() || !own(show("ip6tables-save")).equals(seen6))) {
                set6();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Allows the containers of a network to reach one port of this host. */
    public void open(Opening opening) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            openings.add(opening);
            set4();
        } finally {
            lock.unlock();
        }
    }

    /** Revokes what {@link #open} has allowed for a network. */
    public void closeAll(String bridge) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (openings.removeIf(opening -> opening.bridge().equals(bridge))) {
                set4();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes all rules; no bridges are left. */
    public void clear() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!seen.isEmpty()) {
                remove("iptables", HOOKS);
                seen = List.of();
            }
            if (!seen6.isEmpty()) {
                remove("ip6tables", "FORWARD");
                seen6 = List.of();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        program.close();
    }

    private void set4() throws InterruptedException {
        if (!show("iptables-save").contains(":" + HOOKS + " ")) {
            throw new FirewallException(
                    "there is no chain %s: the engine keeps no firewall here".formatted(HOOKS),
                    null);
        }
        restore("iptables-restore", forwardRules(), inputRules());
        hook("iptables", HOOKS, "-i", forward);
        hook("iptables", HOOKS, "-o", forward);
        hook("iptables", "INPUT", "-i", input);
        seen = own(show("iptables-save"));
    }

    private void set6() throws InterruptedException {
        List<String> nothing = List.of("-j DROP");
        restore("ip6tables-restore", nothing, nothing);
        hook("ip6tables", "FORWARD", "-i", forward);
        hook("ip6tables", "FORWARD", "-o", forward);
        hook("ip6tables", "INPUT", "-i", input);
        seen6 = own(show("ip6tables-save"));
    }

    private List<String> forwardRules() {
        List<String> rules = new ArrayList<>();
        rules.add("-m conntrack --ctstate RELATED,ESTABLISHED -j RETURN");
        // No connection to a container is allowed.
        rules.add("-o %s+ -j REJECT --reject-with icmp-admin-prohibited".formatted(prefix));
        rules.addAll(nameServers("RETURN"));
        for (String range : AddressRanges.NEAR) {
            rules.add("-d %s -j REJECT --reject-with icmp-admin-prohibited".formatted(range));
        }
        rules.add("-j RETURN");
        return rules;
    }

    private List<String> inputRules() {
        List<String> rules = new ArrayList<>();
        for (Opening opening : openings) {
            rules.add(
                    "-i %s -d %s/32 -p tcp -m tcp --dport %d -j ACCEPT"
                            .formatted(opening.bridge(), opening.address(), opening.port()));
        }
        rules.addAll(nameServers("ACCEPT"));
        rules.add("-j REJECT --reject-with icmp-admin-prohibited");
        return rules;
    }

    private List<String> nameServers(String target) {
        List<String> rules = new ArrayList<>();
        for (String server : nameServers.get()) {
            for (String protocol : List.of("udp", "tcp")) {
                rules.add(
                        "-d %s/32 -p %s -m %s --dport 53 -j %s"
                                .formatted(server, protocol, protocol, target));
            }
        }
        return rules;
    }

    /** Replaces both chains atomically, so that the rules apply at all times. */
    private void restore(String restorer, List<String> forwardRules, List<String> inputRules)
            throws InterruptedException {
        StringBuilder table = new StringBuilder("*filter\n");
        table.append(":%s - [0:0]\n:%s - [0:0]\n".formatted(forward, input));
        forwardRules.forEach(rule -> table.append("-A %s %s\n".formatted(forward, rule)));
        inputRules.forEach(rule -> table.append("-A %s %s\n".formatted(input, rule)));
        table.append("COMMIT\n");
        program.run(List.of(restorer, "--wait", "5", "--noflush"), table.toString());
    }

    /** Inserts the jump in the first position, then removes an older one. */
    private void hook(String iptables, String chain, String direction, String target)
            throws InterruptedException {
        String bridges = prefix + "+";
        List<String> rule = List.of(direction, bridges, "-j", target);
        program.run(command(iptables, "-I", chain, rule), "");
        String line = "-A %s %s %s -j %s".formatted(chain, direction, bridges, target);
        long present = show(iptables + "-save").lines().filter(line::equals).count();
        for (long more = present; more > 1; more--) {
            deleteLast(iptables, chain, line);
        }
    }

    private void deleteLast(String iptables, String chain, String line)
            throws InterruptedException {
        List<String> rules =
                show(iptables + "-save")
                        .lines()
                        .filter(l -> l.startsWith("-A " + chain + " "))
                        .toList();
        int number = rules.lastIndexOf(line) + 1;
        program.run(command(iptables, "-D", chain, List.of(Integer.toString(number))), "");
    }

    private void remove(String iptables, String forwardHook) throws InterruptedException {
        String bridges = prefix + "+";
        for (String direction : List.of("-i", "-o")) {
            program.run(
                    command(
                            iptables,
                            "-D",
                            forwardHook,
                            List.of(direction, bridges, "-j", forward)),
                    "");
        }
        program.run(command(iptables, "-D", "INPUT", List.of("-i", bridges, "-j", input)), "");
        for (String chain : List.of(forward, input)) {
            program.run(command(iptables, "-F", chain, List.of()), "");
            program.run(command(iptables, "-X", chain, List.of()), "");
        }
    }

    private static List<String> command(
            String iptables, String operation, String chain, List<String> rest) {
        List<String> command = new ArrayList<>(List.of(iptables, "-w", "5", operation, chain));
        command.addAll(rest);
        return command;
    }

    private String show(String saver) throws InterruptedException {
        return program.run(List.of(saver, "-t", "filter"), "");
    }

    /**
     * Returns Orloj's rules, and the beginning of the chains that jump to them: a rule before the
     * jump may accept packets that Orloj's rules would reject.
     */
    private List<String> own(String saved) {
        List<String> lines = new ArrayList<>();
        int hooks = 0;
        int inputs = 0;
        for (String line : saved.lines().toList()) {
            boolean first = line.startsWith("-A " + HOOKS + " ") && hooks++ < 2;
            boolean firstInput = line.startsWith("-A INPUT ") && inputs++ < 1;
            if (first || firstInput || line.contains(forward) || line.contains(input)) {
                lines.add(line);
            }
        }
        return lines;
    }
}
