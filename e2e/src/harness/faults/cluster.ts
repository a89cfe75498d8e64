import type { ClusterPlatform } from '../platforms/cluster-platform.ts';
import type { Member } from '../platforms/cluster-servers.ts';
import type { Host } from '../platforms/network.ts';
import type { Fault, Repair } from './fault.ts';
import { freeze } from './processes.ts';

/** Causes a fault of a member. */
type Inject = (member: Member, peers: readonly Member[]) => Repair;

/** The faults of the servers of a platform on clusters. */
export function clusterFaults({ servers, network }: ClusterPlatform): Fault[] {
  const cut =
    (inject: (host: Host, peers: readonly Host[]) => void): Inject =>
    (member, peers) => {
      inject(
        member.host,
        peers.map(({ host }) => host),
      );
      return () => network.heal();
    };
  const kill: Inject = (member) => {
    process.kill(member.server.pid, 'SIGKILL');
    return async () => {
      await member.server.exited;
      member.server = await member.start();
    };
  };
  const cutOff = {
    'partitioned from its peers': cut((host, peers) => network.partition(host, peers)),
    'partitioned from all hosts': cut((host) => network.partition(host, network.others(host))),
    'cannot send to its peers': cut((host, peers) => network.cut(host, peers)),
    'cannot receive from its peers': cut((host, peers) => {
      for (const peer of peers) network.cut(peer, [host]);
    }),
    'cannot send to any host': cut((host) => network.cut(host, network.others(host))),
  };
  const pause: Inject = ({ server }) => freeze([server.pid]);
  const to = (
    what: string,
    within: readonly [how: string, inject: Inject, seconds: number][],
    members: readonly Member[],
    choose: (round: number) => Promise<Member>,
  ): Fault[] =>
    within.map(([how, inject, withinSeconds]) => ({
      name: `${what} ${how}`,
      withinSeconds,
      happen: async (round) => {
        const chosen = await choose(round);
        const peers = members.filter((member) => member !== chosen);
        return inject(chosen, peers);
      },
    }));
  const cuts = (seconds: number) =>
    Object.entries(cutOff).map(([how, inject]) => [how, inject, seconds] as [string, Inject, number]);
  return [
    ...to('primary', [['killed', kill, 5], ['paused', pause, 15], ...cuts(15)], servers.mongods, () =>
      servers.primary(),
    ),
    {
      name: 'primary stepped down',
      withinSeconds: 1,
      happen: async () => {
        await servers.command({ replSetStepDown: 10 });
        return () => {};
      },
    },
    ...to(
      'NATS node',
      [['killed', kill, 1], ['paused', pause, 5], ...cuts(5)],
      servers.nats,
      async (round) => servers.nats[round % servers.nats.length]!,
    ),
  ];
}
