import { globSync, readFileSync } from 'node:fs';
import { showQuota } from '@action-platform/contracts';
import type { DeployedPlatform } from '../../availability/deployed-platform.ts';
import type { Entry, History, Observation } from '../history/history.ts';
import { listAll } from './client.ts';
import { readHistory, requestOf } from './requests.ts';
import { operation, Session } from './session.ts';
import { RUNS } from './steps.ts';
import type { World } from './world.ts';

/** Ends a history after the last call: observes the stored state, before and after it repeats the unknown actions. */
export async function concludeHistory(
  world: World,
  platform: DeployedPlatform,
  mailFolder: string,
): Promise<History> {
  const session = new Session(world.url, world.token);
  const before = await observe(world, platform, session, mailFolder);
  const entries: Entry[] = [];
  for (const entry of world.entries) {
    const { action } = entry;
    const isOpen =
      entry.outcome.is === 'unknown' && ['push', 'replace', 'patch', 'draft'].includes(action.what);
    if (!isOpen || action.what === 'list') entries.push(entry);
    else entries.push({ ...entry, settled: await session.ask(requestOf(action, world)) });
  }
  const after = await observe(world, platform, session, mailFolder);
  session.close();
  return { entries, before, after, limited: world.limited, maximumRuns: RUNS.allowed };
}

async function observe(
  world: World,
  platform: DeployedPlatform,
  session: Session,
  mailFolder: string,
): Promise<Observation> {
  const records: Observation['records'][number][] = [];
  for (const { collection, token } of [world, world.limited]) {
    const listed = await listAll(session, collection, token);
    if (listed.is !== 'done') throw new Error('The Records cannot be listed.');
    for (const id of new Set(listed.result.records)) {
      let bytes = 0;
      const ask = operation(
        'record_store.get_record_history',
        { collection_id: collection, record_id: id },
        (answer: { revisions: { payload: object }[] }) => {
          bytes = answer.revisions.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0);
          return readHistory(answer as never);
        },
      );
      const read = await session.ask({ ...ask, token });
      if (read.is === 'done') records.push({ id, collection, revisions: read.result.revisions!, bytes });
    }
  }
  const { stored_bytes } = await platform.operate(showQuota, { workspace: world.limited.workspace });
  const drafts = globSync(`${mailFolder}/**/*.eml`).map(
    (file) => /^Subject: (.*?)\r?$/m.exec(readFileSync(file, 'utf8'))![1]!,
  );
  return { records, drafts, storedBytes: stored_bytes };
}
