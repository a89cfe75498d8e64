import { setTimeout as delay } from 'node:timers/promises';
import { type ReplicaStatus, statusSurvey } from '@action-platform/contracts/bus';
import { processes } from '@action-platform/contracts/services';
import { z } from 'zod';
import type { Command } from './command.ts';
import type { Platform } from './platform.ts';
import { asTable, rounded } from './printed.ts';
import { expected, unheard } from './replicas.ts';
import { busyWorkspaces } from './workspaces.ts';

/** The pause between two surveys, in milliseconds. */
const PAUSE_MS = 2_000;

const input = z.object({
  workspaces: z
    .boolean()
    .default(false)
    .meta({ description: 'Also the busiest and the most refused Workspaces of the last five minutes.' }),
  watch: z.boolean().default(false).meta({ description: 'Looks again every two seconds, until Ctrl-C.' }),
});

/** The columns of the table of replicas. */
const columns = [
  'service',
  'host',
  'pid',
  'state',
  'missing',
  'since',
  'in_flight',
  'per_second',
  'failed_share',
  'p50_ms',
  'p99_ms',
  'bus_ms',
  'database_ms',
  'clock_ms',
  'version',
  'replica',
];

/** A survey: every replica reports its own state, and the replicas whose announcements it received. */
export const status: Command<typeof input> = {
  name: 'status',
  summary: 'Shows every replica: its state, since when, and the outcome of the calls of the last minute.',
  input,
  draw: ({ workspaces, ...rest }: { readonly workspaces?: readonly object[] }) =>
    asTable(rest, columns) + (workspaces === undefined ? '' : `\n${asTable({ workspaces })}`),
  run: ({ watch, workspaces }, platform) => {
    const look = async () => ({
      ...(await surveyed(platform)),
      ...(workspaces && { workspaces: await busyWorkspaces(platform) }),
    });
    return watch ? watched(look) : look();
  },
};

async function* watched(look: () => Promise<object>): AsyncGenerator<object> {
  for (;;) {
    yield await look();
    await delay(PAUSE_MS);
  }
}

async function surveyed(platform: Platform): Promise<object> {
  const answers = await platform.survey(statusSurvey, expected);
  // In a stable order: the replicas that answer, by start, then the silent ones, by id.
  const replicas = [
    ...answers
      .map((answer) => ({ ...described(answer), clock_ms: clockOf(answer, answers) }))
      .toSorted(by(({ since, replica }) => `${since} ${replica}`)),
    ...silent(answers).toSorted(by(({ replica }) => replica)),
  ];
  const absent = processes
    .filter((service) => replicas.every((replica) => replica.service !== service))
    .map((service) => ({ service, state: 'no replica' }));
  const place = ({ service }: { service: string }) => (processes as readonly string[]).indexOf(service);
  return { replicas: [...replicas, ...absent].toSorted((one, other) => place(one) - place(other)) };
}

function silent(answers: readonly ReplicaStatus[]) {
  return unheard(answers).map(({ service, replica, host, pid, silent_ms }) => ({
    service,
    host,
    pid,
    state: `silent for ${Math.round(silent_ms / 1_000)} s`,
    replica,
  }));
}

/** A replica as a line of the table. */
function described({ recent, heard_of, started_at, ...replica }: ReplicaStatus) {
  const { answered, failed, seconds, p50_ms, p99_ms } = recent;
  return {
    ...replica,
    since: started_at,
    per_second: rounded(answered / seconds),
    failed_share: answered === 0 ? 0 : rounded(failed / answered),
    p50_ms,
    p99_ms,
  };
}

/** By how much the clock of a replica is ahead of the others', in milliseconds: the median of what they say. */
function clockOf({ replica }: ReplicaStatus, answers: readonly ReplicaStatus[]): number | null {
  const measured = answers.flatMap(({ heard_of }) => heard_of.filter((each) => each.replica === replica));
  const apart = measured.flatMap(({ clock_ms = [] }) => clock_ms).toSorted((one, other) => one - other);
  return apart[Math.floor(apart.length / 2)] ?? null;
}

function by<Item>(name: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => (name(one) < name(other) ? -1 : 1);
}
