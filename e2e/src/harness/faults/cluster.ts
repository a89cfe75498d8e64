import type { ClusterPlatform } from '../platforms/cluster-platform.ts';
import type { Member } from '../platforms/cluster-servers.ts';
import type { Fault } from './fault.ts';

/** Causes a fault of a member and returns a function that ends it. */
type Inject = (member: Member, peers: readonly Member[]) => () => unknown;

/** The faults of the servers of a platform on clusters. */
export function clusterFaults({ servers, network }: ClusterPlatform): Fault[] {
  const hostsOf = (members: readonly Member[]) => members.map(({ host }) => host);
  const partition =
    (inject: (member: Member, peers: readonly Member[]) => void): Inject =>
    (member, peers) => {
      inject(member, peers);
      return () => network.heal();
    };
  const kill: Inject = (member) => {
    process.kill(member.server.pid, 'SIGKILL');
    return async () => {
      await member.server.exited;
      member.server = await member.start();
    };
  };
  const pause: Inject = ({ server: { pid } }) => {
    process.kill(pid, 'SIGSTOP');
    return () => process.kill(pid, 'SIGCONT');
  };
  const cutOff = {
    'partitioned from its peers': partition(({ host }, peers) => network.partition(host, hostsOf(peers))),
    'partitioned from all hosts': partition(({ host }) => network.partition(host, network.others(host))),
    'cannot send to its peers': partition(({ host }, peers) => network.cut(host, hostsOf(peers))),
    'cannot receive from its peers': partition(({ host }, peers) => {
      for (const peer of hostsOf(peers)) network.cut(peer, [host]);
    }),
    'cannot send to any host': partition(({ host }) => network.cut(host, network.others(host))),
  };
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
        const heal = inject(
          chosen,
          members.filter((member) => member !== chosen),
        );
        return async () => await heal();
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
        return async () => {};
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
