import { createGrant } from '@action-platform/testing/http';
import type { Platform } from '../contenders/platform.ts';
import { ROOMY_QUOTA_BYTES } from '../growth/pair.ts';
import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import type { Entry, Measurement } from '../measure/rounds.ts';
import type { Table } from '../measure/summary.ts';
import { callOf, newRecords, RECORDS, samplePayload, scenarios } from '../scenarios.ts';

/** Calls of two checkouts that are compared. */
interface ComparedCalls {
  /** The least throughput of this checkout, divided by that of the other one. */
  readonly atLeast: number;
  /** How many clients call at the same time, unless the command line says it. */
  readonly clients?: readonly number[];
  prepare(platform: Platform, which: 'now' | 'before'): Promise<Pick<Entry, 'requests' | 'perCall'>>;
}

const ITEMS = 100;

/** The compared calls by name. */
export const comparedCalls: Readonly<Record<string, ComparedCalls>> = {
  push: {
    atLeast: 0.99,
    prepare: async (platform) => ({ requests: await scenarios.push!.prepare(platform) }),
  },
  get: { atLeast: 0.99, prepare: async (platform) => ({ requests: await scenarios.get!.prepare(platform) }) },
  tokens: {
    atLeast: 0.9,
    /** Gets; in this checkout with the access token of an agent, in the other one with the secret of a grant. */
    prepare: async (platform, which) => {
      const api = await platform.workspace();
      const records = await newRecords(api, RECORDS);
      const operation = 'record_store.get_record';
      const token =
        which === 'now'
          ? await platform.agentToken(api, operation, [records[0]!.collection_id])
          : (await createGrant(api.origin, api.token, { operationScope: operation })).secret;
      return { requests: [callOf([token], operation, records)] };
    },
  },
  rules: {
    atLeast: 0.9,
    /** Pushes; in this checkout under a rule whose condition fits none. */
    prepare: async (platform, which) => {
      const api = await platform.workspace();
      if (which === 'now') {
        const when = [{ field: '/payload/visits', is: 'above', value: 1_000 }];
        await platform.setRules(api, [{ operations: ['record_store.push_record'], when }]);
      }
      const push = { collection_id: await api.newCollection(), payload: samplePayload() };
      return { requests: [callOf(api, 'record_store.push_record', [push])] };
    },
  },
  importers: {
    atLeast: 0.9,
    clients: [64],
    /** Pushes of a hundred Records each; of one Record where the other checkout has no such operation. */
    prepare: async (platform) => {
      const api = await platform.workspace();
      await platform.setQuota(api.workspace, ROOMY_QUOTA_BYTES);
      const place = { collection_id: await api.newCollection() };
      const item = { payload: samplePayload(), idempotency_key: '$unique' };
      const { status } = await api.post('/api/v1/operations/record_store.push_records', {
        ...place,
        items: [item],
      });
      if (status !== 200)
        return { requests: [callOf(api, 'record_store.push_record', [{ ...place, ...item }])] };
      const many = { ...place, items: Array(ITEMS).fill(item) };
      return { requests: [callOf(api, 'record_store.push_records', [many])], perCall: ITEMS };
    },
  },
};

/** Requires of each table that this checkout, the first, is so fast beside the other one. */
export function atLeastAsFast(tables: readonly Table[], least: number): Requirement[] {
  return tables.map(({ what, clients, rows }) => {
    const { median, min, max } = rows[1]!.firstIsFaster!;
    const spread = `(${min.toFixed(2)}–${max.toFixed(2)})`;
    return atLeast(`${what}, clients: ${clients}`, least, median, '× as fast', spread);
  });
}

/** Requires that no call failed; load shedding (503 with `Retry-After`) is no failure. */
export function noneFailed(measurements: readonly Measurement[]): Requirement {
  const failed = measurements.flatMap(({ load }) => Object.values(load.others));
  return atMost(
    'failed calls',
    0,
    failed.reduce((sum, count) => sum + count, 0),
    '',
  );
}
