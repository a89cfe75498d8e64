import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../../contenders/api.ts';
import { newCollection } from '../../scenarios/sample-data.ts';
import type { Besieged, Callers } from '../besieged.ts';
import type { Surroundings } from './hard-request.ts';
import { tinyMembers } from './json-texts.ts';

/** As many as a routine grant may list, and a page of grants and of Records. */
const COLLECTIONS = 1000;
const PAGE = 200;
/** So that a page of them is as large as pages are. */
const RECORD_BYTES = 5_000;
const LARGE_BYTES = 262_000;
const LARGE_RECORDS = 6;
const REVISIONS = 40;
/** All that a history of e-mails shows. */
const EMAILS = 500;
const FILES = 5_000;
const QUOTA_BYTES = 2 ** 40;
const AT_ONCE = 8;

/** Makes what hard requests are about. */
export async function makeSurroundings(
  { folder, version, operator }: Besieged,
  { api, workspace }: Callers,
): Promise<Surroundings> {
  await operator('quota', 'set', '--workspace', workspace, '--bytes', String(QUOTA_BYTES));
  makeFiles(join(folder, version.bus.account, 'files', workspace, 'company'));
  const large = tinyMembers(LARGE_BYTES);
  const push = async (collection_id: string, text: string) => {
    const payload = JSON.parse(text);
    const { record } = await api.call<{ record: { id: string } }>('record_store.push_record', {
      collection_id,
      payload,
    });
    return { collection_id, record_id: record.id };
  };
  const collectionId = await newCollection(api);
  const pageOfMany = await newCollection(api);
  const pageOfLarge = await newCollection(api);
  await times(PAGE + 1, () => push(pageOfMany, tinyMembers(RECORD_BYTES)));
  await times(LARGE_RECORDS, () => push(pageOfLarge, large));
  const history = await push(collectionId, large);
  const payload = JSON.parse(large);
  for (let revision = 1; revision < REVISIONS; revision++) {
    await api.call('record_store.replace_record', { ...history, payload });
  }
  const collectionIds = await times(COLLECTIONS, (index) => describedCollection(api, index));
  await times(EMAILS, (index) =>
    api.call('mail.send_email', {
      to: ['ada@example.com'],
      subject: '😀'.repeat(255),
      body: 'Hello',
      idempotency_key: `${index}-`.padEnd(200, 'é'),
    }),
  );
  await times(PAGE, (index) => createGrant(api, collectionIds, index));
  return {
    collectionId,
    collectionIds,
    pageOfMany,
    pageOfLarge,
    history,
    changed: await push(collectionId, large),
    largest: await push(collectionId, large),
  };
}

async function describedCollection(api: Api, index: number): Promise<string> {
  const input = { name: `${index} `.padEnd(100, 'é'), description: '😀'.repeat(1000) };
  const { collection } = await api.call<{ collection: { id: string } }>(
    'record_store.create_collection',
    input,
  );
  return collection.id;
}

async function createGrant(api: Api, collectionIds: readonly string[], index: number): Promise<void> {
  await api.post('/api/v1/routine-grants', {
    name: `${index} `.padEnd(100, 'é'),
    operations: ['record_store.push_record'],
    data: { collectionIds },
    maximumCadence: { invocations: 1, periodSeconds: 1 },
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
}

function makeFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < FILES; index++) {
    writeFileSync(join(folder, `${index} `.padEnd(200, 'x')), '');
  }
}

/** Does something so often, a few at a time. */
async function times<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    const wave = Math.min(AT_ONCE, count - results.length);
    const from = results.length;
    results.push(...(await Promise.all(Array.from({ length: wave }, (_, index) => work(from + index)))));
  }
  return results;
}
