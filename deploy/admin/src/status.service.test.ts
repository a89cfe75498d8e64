import { type Bus, isSilent } from '@action-platform/bus';
import {
  type BusyReplica,
  type ReplicaStatus,
  statusSurvey,
  workspacesSurvey,
} from '@action-platform/contracts/bus';
import { type ProcessName, processes } from '@action-platform/contracts/services';
import { startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { typed } from './test-support/typed.ts';

let bus: TestBus;
let connections: Bus[] = [];
beforeAll(async () => {
  bus = await startTestBus();
});
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.drain()));
  connections = [];
});
afterAll(() => bus.stop());

/** A replica with this answer. */
async function replica(service: ProcessName, more: Partial<ReplicaStatus> = {}): Promise<Bus> {
  const connection = await bus.connect(service);
  connections.push(connection);
  connection.answerSurvey(
    statusSurvey,
    async (): Promise<ReplicaStatus> => ({
      service,
      replica: connection.replica,
      version: '1.2.3',
      host: 'here',
      pid: 42,
      started_at: '2026-01-01T00:00:00.000Z',
      state: 'ok',
      missing: [],
      in_flight: 3,
      recent: { seconds: 60, answered: 600, failed: 6, p50_ms: 1.5, p99_ms: 20 },
      bus_ms: 1,
      heard_of: [],
      ...more,
    }),
  );
  await connection.flush();
  return connection;
}

const status = async (form: string) => (await typed(['status', form], bus.environment('admin'))).stdout;

test('shows every replica, also silent ones that others have heard of', async () => {
  const silent = { service: 'mail', replica: 'gone', host: 'there', pid: 43, silent_ms: 8_000 } as const;
  expect(isSilent(silent)).toBe(true);
  const mail = await replica('mail', { state: 'not ready', missing: ['database'], database_ms: null });
  const there = { service: 'mail', replica: mail.replica, silent_ms: 100, clock_ms: 60_000 } as const;
  const gateways = [
    await replica('gateway', { heard_of: [silent, there] }),
    await replica('gateway', { heard_of: [{ ...silent, silent_ms: 9_000 }] }),
  ];
  const heard = gateways.map(({ replica }) => ({ service: 'gateway', replica, silent_ms: 100 }) as const);
  await replica('grants', { heard_of: heard });
  for (const service of ['record-store', 'procedures', 'knowledge'] as const) await replica(service);
  // A survey waits some seconds for silent replicas.
  const [json, table] = await Promise.all([status('--json'), status('--table')]);
  const { replicas } = JSON.parse(json);
  const lines = (replicas as { service: string; state: string }[]).map((each) => [each.service, each.state]);
  expect(lines.slice(0, 2)).toEqual([
    ['gateway', 'ok'],
    ['gateway', 'ok'],
  ]);
  expect(lines).toContainEqual(['mail', 'silent for 8 s']);
  expect(lines).toHaveLength(processes.length + 2);
  expect(replicas[0]).toMatchObject({
    since: '2026-01-01T00:00:00.000Z',
    in_flight: 3,
    per_second: 10,
    failed_share: 0.01,
    p50_ms: 1.5,
    p99_ms: 20,
  });
  expect(table).toMatch(/^SERVICE +HOST +PID +STATE/);
  expect(table).toMatch(/\nmail +here +42 +not ready +database .* 60000 +1\.2\.3 /);
  expect(table).toMatch(/\nmail +there +43 +silent for 8 s +- .* gone\n/);
});

test('names the busiest Workspaces over all replicas, by their share of the processor time', async () => {
  const answers: Partial<Record<ProcessName, Partial<BusyReplica>>> = {
    gateway: {
      ...{ seconds: 10, processor_ms: 1_000, calls: 100 },
      workspaces: [
        { workspace_id: 'ws_greedy', calls: 90, refused: 40, bytes: 1_000 },
        { workspace_id: 'ws_small', calls: 10, refused: 0, bytes: 100 },
      ],
    },
    grants: {
      ...{ seconds: 10, processor_ms: 1_000, calls: 100 },
      workspaces: [{ workspace_id: 'ws_small', calls: 30, refused: 0, bytes: 0 }],
    },
  };
  for (const service of processes) {
    const connection = await replica(service);
    connection.answerSurvey(workspacesSurvey, async () => ({
      ...{
        service,
        replica: connection.replica,
        host: 'here',
        pid: 42,
        seconds: 10,
        processor_ms: 0,
        calls: 0,
      },
      ...{ workspaces: [], heard_of: [], ...answers[service] },
    }));
    await connection.flush();
  }
  const printed = await typed(['status', '--workspaces', '--json'], bus.environment('admin'));
  expect(JSON.parse(printed.stdout).workspaces).toEqual([
    {
      workspace: 'ws_greedy',
      ...{ calls_per_second: 9, refused_per_second: 4, bytes_per_second: 100, processor_share: 0.45 },
    },
    {
      workspace: 'ws_small',
      ...{ calls_per_second: 1, refused_per_second: 0, bytes_per_second: 10, processor_share: 0.2 },
    },
  ]);
  const table = await typed(['status', '--workspaces', '--table'], bus.environment('admin'));
  expect(table.stdout).toMatch(/^SERVICE .*\n(.*\n)+\nWORKSPACE +CALLS_PER_SECOND .*\nws_greedy +9 +4 /);
});

test('names the services without a replica', async () => {
  for (const service of processes.filter((name) => name !== 'grants')) await replica(service);
  expect(await status('--table')).toMatch(/\ngrants +- +- +no replica /);
}, 10_000);
