import { globSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENTS } from '@action-platform/contracts/bus';
import {
  addMember,
  listMembers,
  recountQuota,
  removeMember,
  verifyAudit,
} from '@action-platform/contracts/calls';
import { services } from '@action-platform/contracts/services';
import { execute } from '@action-platform/testing/http';
import { chosenOf } from '@action-platform/toolchain';
import { LocalPlatform } from '../../local-platform.ts';
import { endWith, say } from '../../on-a-stack.ts';
import { findings, type SetBack } from '../checkers/set-back.ts';
import { Followed } from '../evidence/followed.ts';
import { storedIn } from '../evidence/observe.ts';
import { copyPart, type Part } from '../faults/set-back.ts';
import { type Entry, entriesOf, type Outcome } from '../history.ts';
import type { Suite } from '../run.ts';
import { take } from '../workload/client.ts';
import type { Fixture } from '../workload/fixture.ts';
import { listAll } from '../workload/list-all.ts';
import { Load } from '../workload/load.ts';
import { makeFixture } from '../workload/make-fixture.ts';
import { payloadOf } from '../workload/requests.ts';

const MEMBER = 'leaving';
/** The key in the Record that is deleted. */
const DELETED = 'deleted';
const CLIENTS = 12;
const MORE = 20;
/** More than the restarted platform publishes until everything that follows the stream has looked at it. */
const LOST_MESSAGES = 50;
const parts: readonly Part[] = [...services, 'streams', 'lost streams'];
const weights = { push: 12, replace: 4, grant: 1, draft: 1, procedure: 1, file: 1 };

/**
 * Sets the database of one service, or JetStream, back to an earlier moment while all else stays, as after a restore from a backup of that
 * part alone. docs/backup.md has the result.
 */
export const restore: Suite = {
  options: {
    rounds: ['10', "each with another part: the database of a service, 'streams', 'lost streams'"],
    only: ['', 'sets back these parts alone, with commas'],
    seconds: ['3', 'the longest load before and after the copy'],
  },
  run: async (options) => {
    const chosen = chosenOf(options.only!, parts) as readonly Part[];
    const platform = new LocalPlatform('', { AUDIT_WINDOW_MS: '2000' });
    return await endWith(platform, async () => {
      await platform.start();
      let isGood = true;
      for (let number = 0; number < Number(options.rounds); number++) {
        const part = chosen[number % chosen.length]!;
        const found = findings(await setBackUnderLoad(platform, part, Number(options.seconds)));
        say(`${part} set back:`);
        for (const { text, isExpected } of found)
          say(`  ${isExpected ? 'as expected' : 'NOT EXPECTED'}: ${text}`);
        isGood &&= found.every(({ isExpected }) => isExpected);
      }
      return isGood;
    });
  },
};

/** Loads a new Workspace, sets a part of the platform back, and collects what it has then. */
async function setBackUnderLoad(platform: LocalPlatform, part: Part, seconds: number): Promise<SetBack> {
  const someTime = () => delay(500 + Math.random() * 1000 * seconds);
  const fixture = await makeFixture(platform, platform.gateways[0]!);
  const { workspace, session } = fixture;
  await platform.operate(addMember, { workspace, user: MEMBER });
  const followed = await Followed.begin(fixture);
  const record = await archivedRecord(fixture);
  const workload = { clients: CLIENTS, weights, seed: 1, onRecent: true, expectsNothing: true };
  const load = new Load(fixture, workload);
  await someTime();
  const from = performance.now();
  const setBack = await copyPart(platform, part);
  const to = performance.now();
  const lastSequence = async () => (await platform.operator.streams.state(EVENTS)).lastSequence;
  const copied = await lastSequence();
  const earlier = entriesOf(fixture, 'grant').filter(({ endedAt }) => endedAt < from);
  const revoked = new Set(earlier.slice(0, 2).map(({ outcome }) => madeIn(outcome)));
  for (const id of revoked) await session.json('DELETE', `/api/v1/operation-grants/${id}`);
  await session.execute('record_store.delete_record', record);
  await platform.operate(removeMember, { workspace, user: MEMBER });
  await followed.change();
  await someTime();
  // So few lost messages that new ones replace them at once would be noticed by nobody.
  while (part === 'streams' && (await lastSequence()) - copied < LOST_MESSAGES) await delay(100);
  await load.stop();
  const entries = fixture.entries.slice();
  const known = await platform.operate(verifyAudit, { workspace });
  const outcomes = entries.map(({ outcome }) => outcome);
  const records = new Set(pushedIn(entries, outcomes));
  // Changes that only the streams have would be lost with them.
  if (part.endsWith('streams')) await followed.missing(records);
  await followed.noteEnd();
  await platform.stop();
  await setBack();
  await platform.start();

  const shown = await shownIn(fixture);
  const { members } = await platform.operate(listMembers, { workspace });
  const isBack = {
    member: members.some(({ userId, state }) => userId === MEMBER && state === 'active'),
    record: shown.records.has(record.record_id),
    endpoint: await followed.has('deleted'),
  };
  const repeated = await repeatAll(fixture);
  const stored = await storedIn(session, fixture.collections[0]!);
  const keys = stored.map(({ revisions }) => revisions[0]!.write).filter((key) => key !== DELETED);
  const drift = async () => (await platform.operate(recountQuota, { workspace })).drift_bytes;
  const drifts = [await drift(), await drift()] as const;
  const feed = await followed.feed();
  for (const id of [...pushedIn(entries, repeated), ...(await pushMore(fixture))]) records.add(id);
  const missing = await followed.missing(records);
  const { last_block: block, hash } = known;
  const same =
    block === null ? { valid: true } : await platform.operate(verifyAudit, { workspace, block, hash });
  followed.stop();
  return {
    ...{
      entries,
      part,
      copy: { from, to },
      shown,
      revoked,
      isBack,
      repeated,
      keys,
      drift: drifts,
      feed,
      ...missing,
    },
    draftsMade: globSync(`${platform.mail}/**/*.eml`).filter((file) => file.includes(workspace)).length,
    hasLateEndpoint: await followed.has('late'),
    signsWithRotated: followed.signsWithRotated(),
    isChainWhole: (await platform.operate(verifyAudit, { workspace })).valid,
    isKnownBlockSame: same.valid,
  };
}

/** The Records of pushes with these outcomes, but for the first ones, which were there before the endpoints. */
const pushedIn = (entries: readonly Entry[], outcomes: readonly Outcome[]) =>
  entries.flatMap(({ client, action }, index) => {
    const outcome = outcomes[index]!;
    return client >= 0 && action.what === 'push' && outcome.is === 'done' ? [outcome.result.record!] : [];
  });
const madeIn = (outcome: Outcome) => (outcome.is === 'done' && outcome.result.made) || '';

/** An archived Record, which its Owner may delete. */
async function archivedRecord({ session, collections }: Fixture) {
  const collection_id = collections[0]!;
  const input = { collection_id, payload: payloadOf(DELETED) };
  const { record } = await session.execute('record_store.push_record', input);
  const place = { collection_id, record_id: record.id };
  await session.execute('record_store.archive_record', place);
  return place;
}

/** The created things, as callers see them. */
async function shownIn(fixture: Fixture): Promise<SetBack['shown']> {
  const { outcome: listed } = await listAll(fixture.session, fixture.collections[0]!);
  const grants = new Set<string>();
  for (const [id, secret] of fixture.secrets) {
    const { records, places } = fixture;
    const input = { collection_id: places.get(records[0]!), record_id: records[0] };
    const { status } = await execute(fixture.url, secret, 'record_store.get_record', input);
    if (status === 200) grants.add(id);
  }
  const keysIn = async (id: string, what: 'draft' | 'file') => {
    const { text } = await execute(fixture.url, fixture.owners[0]!.token, id, {});
    const keys = entriesOf(fixture, what).map(({ action }) => action.key);
    return new Set(keys.filter((key) => text.includes(`"${key}"`)));
  };
  return {
    records: new Set(listed.is === 'done' ? listed.result.records : []),
    grants,
    drafts: await keysIn('mail.list_send_history', 'draft'),
    files: await keysIn('knowledge.list_visible_files', 'file'),
  };
}

/** Makes everything again with the same keys, one after the other: a revision needs the Record before it. */
async function repeatAll(fixture: Fixture): Promise<Outcome[]> {
  const present = new Map<string, string>();
  const outcomes = new Map<unknown, Outcome>();
  for (const entry of fixture.entries.toSorted((one, other) => one.endedAt - other.endedAt)) {
    const { action } = entry;
    const record = action.what === 'replace' ? present.get(action.record) : undefined;
    const repeated = { ...action, ...(record && { record }) } as typeof action;
    const { outcome } = await take(repeated, fixture, fixture.session);
    if (action.what === 'push' && outcome.is === 'done' && entry.outcome.is === 'done')
      present.set(entry.outcome.result.record!, outcome.result.record!);
    outcomes.set(entry, outcome);
  }
  return fixture.entries.map((entry) => outcomes.get(entry)!);
}

/** Pushes some more Records; returns their ids. */
async function pushMore(fixture: Fixture): Promise<string[]> {
  const more: string[] = [];
  for (let n = 0; n < MORE; n++) {
    const action = { what: 'push', collection: fixture.collections[0]!, key: `more-${n}`, bytes: 0 } as const;
    const { outcome } = await take(action, fixture, fixture.session);
    if (outcome.is === 'done') more.push(outcome.result.record!);
  }
  return more;
}
