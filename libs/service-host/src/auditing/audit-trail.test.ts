import type { PublishedEntry } from '@action-platform/contracts/audit';
import { anEntry } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import type { Logger } from '../logging/logger.ts';
import { AuditTrail } from './audit-trail.ts';

const entry = (request_id: string, more: Partial<PublishedEntry> = {}) =>
  anEntry({ request_id, operation: 'record_store.get_record', ...more });

/** A trail whose messages go to `store`, with what it logs. */
function trailTo(store: (id: string, entries: PublishedEntry[]) => Promise<void>, readsEach = false) {
  const errors: object[] = [];
  const lines: string[] = [];
  const log = {
    info: (line: string) => lines.push(line),
    warn: (_cause: object, line: string) => lines.push(line),
    error: (fields: object) => errors.push(fields),
  } as unknown as Logger;
  const take = (id: string, body: Uint8Array) =>
    store(id, JSON.parse(Buffer.from(body).toString()).entries as PublishedEntry[]);
  const trail = new AuditTrail({ store: take, log, readsEach, windowMs: 60_000 });
  return { trail, errors, lines };
}

/** The entries of everything that `calls` leave. */
async function entriesOf(calls: (trail: AuditTrail) => void, readsEach = false): Promise<PublishedEntry[]> {
  const stored: PublishedEntry[] = [];
  const { trail } = trailTo(async (_id, entries) => void stored.push(...entries), readsEach);
  calls(trail);
  await trail.stop();
  return stored;
}

describe('a trail', () => {
  test('has an entry for each write, and one for the equal reads of a caller', async () => {
    const entries = await entriesOf((trail) => {
      for (const id of ['1', '2']) trail.wrote(() => entry(id));
      for (const id of ['3', '4', '5']) trail.read('olga', 'get', () => entry(id));
      trail.read('olga', 'list', () => entry('6'));
      trail.read('mika', 'get', () => entry('7'));
      trail.read('forged', 'get', () => undefined);
    });
    expect(entries.map(({ request_id, count }) => [request_id, count])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', 3],
      ['6', 1],
      ['7', 1],
    ]);
  });

  test('has an entry for each read when that is wanted', async () => {
    const reads = (trail: AuditTrail) => {
      for (const id of ['1', '2']) trail.read('olga', 'get', () => entry(id));
    };
    expect(await entriesOf(reads, true)).toEqual([entry('1'), entry('2')]);
  });

  test('counts the refusals of a caller that are equal to 60 others', async () => {
    const entries = await entriesOf((trail) => {
      for (let id = 1; id <= 100; id++)
        trail.refused('olga', 'get', 'grant_revoked', () => entry(String(id)));
      trail.refused('olga', 'get', 'grant_expired', () => entry('other'));
    });
    expect(entries).toHaveLength(62);
    expect(entries.slice(-2)).toEqual([entry('other'), entry('61', { count: 40 })]);
  });

  test('sends a message again, with its id, until it is acknowledged, also when it stops', async () => {
    const sent: [string, string][] = [];
    const { trail, errors, lines } = trailTo(async (id, entries) => {
      sent.push([id, entries[0]!.request_id]);
      if (sent.length === 2 || sent.length === 3) throw new Error('no acknowledgement');
    });
    trail.wrote(() => entry('1'));
    for (let id = 0; id < 200; id++) trail.wrote(() => entry(`more ${id}`));
    await trail.stop();
    expect(sent.map(([, first]) => first)).toEqual(['1', 'more 199', 'more 199', 'more 199']);
    expect(new Set(sent.slice(1).map(([id]) => id)).size).toBe(1);
    expect(errors).toEqual([]);
    expect(lines).toEqual(['the audit log takes no entries', 'the audit log takes entries again']);
  });

  test('reports all entries that it cannot hold or send', async () => {
    const { trail, errors } = trailTo(() => Promise.reject(new Error('away')));
    const user_id = 'x'.repeat(255);
    const calls = 50_000;
    for (let id = 0; id < calls; id++) trail.wrote(() => entry(String(id), { user_id }));
    await trail.stop();
    expect(sum(errors)).toBe(calls);
  });
});

function sum(errors: readonly object[]): number {
  return errors.reduce((total, fields) => total + (fields as { entries: number }).entries, 0);
}
