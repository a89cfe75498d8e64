import { hostname } from 'node:os';
import type { Bus } from '@action-platform/bus';
import { statusSurvey, workspacesSurvey } from '@action-platform/contracts/bus';
import type { ProcessName } from '@action-platform/contracts/services';
import type { Database } from '@action-platform/mongo';
import packageJson from '../../package.json' with { type: 'json' };
import type { Readiness } from '../health/readiness.ts';
import { withTimeout } from '../health/with-timeout.ts';
import type { RecentCalls } from './recent-calls.ts';

/** A replica's view of itself. */
export interface Self {
  readonly service: ProcessName;
  readonly bus: Bus;
  readonly databases: readonly Database[];
  readonly readiness: Readiness;
  readonly recent: RecentCalls;
  readonly inFlight: () => number;
}

const startedAt = new Date(performance.timeOrigin).toISOString();

/** Answers the operators' survey for this replica. */
export function answerStatus({ service, bus, databases, readiness, recent, inFlight }: Self): void {
  bus.answerSurvey(statusSurvey, async () => {
    // Counted before the checks below send requests of their own.
    const in_flight = inFlight();
    const [{ status: state, missing = [] }, busMs, databaseMs] = await Promise.all([
      readiness.report(),
      timed(() => bus.flush()),
      timed(() => Promise.all(databases.map((database) => database.ping()))),
    ]);
    return {
      service,
      replica: bus.replica,
      version: packageJson.version,
      host: hostname(),
      pid: process.pid,
      started_at: startedAt,
      state,
      missing: [...missing],
      in_flight,
      recent: recent.read(),
      bus_ms: busMs,
      ...(databases.length > 0 && { database_ms: databaseMs }),
      heard_of: [...bus.heardOf],
    };
  });
}

/** Answers the operators' survey of Workspaces for this replica. */
export function answerWorkspaces({ service, bus, recent }: Pick<Self, 'service' | 'bus' | 'recent'>): void {
  bus.answerSurvey(workspacesSurvey, async () => ({
    service,
    replica: bus.replica,
    host: hostname(),
    pid: process.pid,
    ...recent.workspaces.read(),
    heard_of: [...bus.heardOf],
  }));
}

/** The duration of some work in milliseconds; null when it fails or exceeds its timeout. */
async function timed(work: () => Promise<unknown>): Promise<number | null> {
  const since = performance.now();
  const isDone = await withTimeout(
    work().then(() => true),
    false,
  );
  return isDone ? Math.round((performance.now() - since) * 100) / 100 : null;
}
