import { execFileSync } from 'node:child_process';

/** The namespace that joins the networks of all hosts, and drops packets between them. */
const SWITCH = 'switch';
/** Comes before the kernel's own routing rules. */
const RULE_PREFERENCE = '100';

/** A machine of a network: something with an address, and a link that can be cut. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** The command that runs a program there. */
  readonly launcher: readonly string[];
}

/**
 * A network of hosts on one machine, each a network namespace of its own (network_namespaces(7)), all joined by a switch. The network
 * exists as long as the namespaces that this process was started in (`in-namespace.ts`); this process is a host of it too, under the name
 * `here`.
 *
 * A cut link drops packets silently, like a pulled cable: senders get no ICMP error.
 */
export class Network {
  readonly #hosts: Host[] = [];
  readonly #rules: string[][] = [];

  constructor() {
    ip('netns', 'add', SWITCH);
    // Without the reverse path filter a one-way link still delivers packets.
    const settings = { ip_forward: 1, 'conf/all/rp_filter': 0, 'conf/default/rp_filter': 0 };
    for (const [path, value] of Object.entries(settings)) {
      const set = `echo ${value} > /proc/sys/net/ipv4/${path}`;
      ip('netns', 'exec', SWITCH, 'sh', '-c', set);
    }
    this.#join('here', String(process.pid), []);
  }

  /** A new host. */
  add(name: string): Host {
    ip('netns', 'add', name);
    return this.#join(name, name, ['-n', name]);
  }

  /** Drops the packets that one host sends to others. */
  cut(from: Host, others: readonly Host[]): void {
    for (const { address } of others) {
      const rule = ['pref', RULE_PREFERENCE, 'iif', from.name, 'to', address, 'blackhole'];
      ip('-n', SWITCH, 'rule', 'add', ...rule);
      this.#rules.push(rule);
    }
  }

  /** Drops the packets between one host and others, both ways. */
  partition(one: Host, others: readonly Host[]): void {
    this.cut(one, others);
    for (const other of others) this.cut(other, [one]);
  }

  /** Restores all links. */
  heal(): void {
    for (const rule of this.#rules.splice(0)) ip('-n', SWITCH, 'rule', 'del', ...rule);
  }

  /** All hosts but these, this process among them. */
  others(...these: readonly Host[]): Host[] {
    return this.#hosts.filter((host) => !these.includes(host));
  }

  #join(name: string, namespace: string, there: readonly string[]): Host {
    const network = `10.77.${this.#hosts.length + 1}`;
    ip('-n', SWITCH, 'link', 'add', 'name', name, 'type', 'veth', 'peer', 'name', 'uplink');
    ip('-n', SWITCH, 'link', 'set', 'dev', 'uplink', 'netns', namespace);
    ip('-n', SWITCH, 'address', 'add', `${network}.1/30`, 'dev', name);
    ip('-n', SWITCH, 'link', 'set', 'dev', name, 'up');
    ip(...there, 'address', 'add', `${network}.2/30`, 'dev', 'uplink');
    for (const device of ['lo', 'uplink']) ip(...there, 'link', 'set', 'dev', device, 'up');
    ip(...there, 'route', 'add', 'default', 'via', `${network}.1`);
    const launcher = there.length === 0 ? [] : ['ip', 'netns', 'exec', name];
    const host = { name, address: `${network}.2`, launcher };
    this.#hosts.push(host);
    return host;
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
