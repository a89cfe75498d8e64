import { globSync, readFileSync } from 'node:fs';
import { showQuota } from '@action-platform/contracts/calls';
import type { Entry, History, Observation } from '../history.ts';
import { take } from '../workload/client.ts';
import type { Fixture } from '../workload/fixture.ts';
import { listAll } from '../workload/list-all.ts';
import { readHistory } from '../workload/requests.ts';
import type { Session } from '../workload/session.ts';
import { RUNS } from '../workload/steps.ts';

/** The part of a history that clients can see: the stored state, before and after the repetition of the unknown actions. */
export async function observeStored(
  fixture: Fixture,
): Promise<Pick<History, 'entries' | 'before' | 'after' | 'limited' | 'maximumRuns'>> {
  const before = await observe(fixture);
  const entries: Entry[] = [];
  for (const entry of fixture.entries) {
    const { action, outcome } = entry;
    const isOpen = outcome.is === 'unknown' && ['push', 'replace', 'patch', 'draft'].includes(action.what);
    if (!isOpen) entries.push(entry);
    else entries.push({ ...entry, settled: (await take(action, fixture, fixture.session)).outcome });
  }
  const hasSettled = entries.some(({ settled }) => settled !== undefined);
  const after = hasSettled ? await observe(fixture) : before;
  return { entries, before, after, limited: fixture.limited, maximumRuns: RUNS.allowed };
}

async function observe(fixture: Fixture): Promise<Observation> {
  const records: Observation['records'][number][] = [];
  const usage: Observation['usage'][number][] = [];
  for (const { workspace, token, collections } of [
    { workspace: fixture.workspace, token: fixture.owners[0]!.token, collections: fixture.collections },
    { ...fixture.limited, collections: [fixture.limited.collection] },
  ]) {
    const from = records.length;
    for (const collection of collections)
      records.push(...(await storedIn(fixture.session, collection, token)));
    const stored = records.slice(from).reduce((sum, { bytes }) => sum + bytes, 0);
    const { stored_bytes: counted, quota } = await fixture.platform.operate(showQuota, { workspace });
    usage.push({ stored, counted, quota });
  }
  const drafts = globSync(`${fixture.platform.mail}/**/*.eml`).map(
    (file) => /^Subject: (.*?)\r?$/m.exec(readFileSync(file, 'utf8'))![1]!,
  );
  return { records, drafts, usage };
}

/** The Records of a Collection with their histories. */
export async function storedIn(
  session: Session,
  collection: string,
  token?: string,
): Promise<Observation['records'][number][]> {
  const { outcome: listed } = await listAll(session, collection, token);
  if (listed.is !== 'done') throw new Error('The Records cannot be listed.');
  const histories = [...new Set(listed.result.records)].map(async (id) => {
    const input = { collection_id: collection, record_id: id };
    const history = await session.execute('record_store.get_record_history', input, token);
    const payloads = (history.revisions as { payload: object }[]).map(({ payload }) =>
      JSON.stringify(payload),
    );
    const bytes = payloads.reduce((sum, { length }) => sum + length, 0);
    return { id, collection, revisions: readHistory(history).revisions!, bytes };
  });
  return await Promise.all(histories);
}
