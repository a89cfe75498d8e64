import { readdirSync } from 'node:fs';
import { listMembers, recountQuota, verifyAudit } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { localDirectory } from '@action-platform/local';
import { send } from '../http.ts';
import type { Operator } from '../operator.ts';
import { execute } from '../stack-process.ts';
import { type Activity, type Kind, kinds, type Thing } from './activity.ts';
import type { Following } from './following.ts';
import type { Part } from './platform.ts';

/** What is known of a round when the platform runs again. */
export interface Round {
  readonly part: Part;
  readonly demo: Demo;
  readonly operator: Operator;
  readonly directory: string;
  readonly activity: Activity;
  readonly following: Following;
  /** The end of the audit log before the restart. */
  readonly known: { readonly last_block: number | null; readonly hash: string };
  /** The time of the copy, in milliseconds of `performance.now()`: it is of a moment between these. */
  readonly copy: { readonly from: number; readonly to: number };
  /** What was withdrawn after the copy. */
  readonly withdrawn: {
    readonly grants: ReadonlySet<string>;
    readonly record: string;
    readonly member: string;
  };
}

/** A promise, and whether the platform kept it as expected after this database was set back. */
export interface Finding {
  readonly text: string;
  readonly isExpected: boolean;
}

/** Compares what the platform has with what it acknowledged, then has every caller repeat its calls, and compares again. */
export async function findings(round: Round): Promise<Finding[]> {
  const { part, activity } = round;
  const found: Finding[] = [];
  const expect = (text: string, isExpected: boolean) => found.push({ text, isExpected });
  const isBefore = ({ doneAt }: Thing) => doneAt < round.copy.from;
  const isAfter = ({ begunAt }: Thing) => begunAt > round.copy.to;
  const of = (kind: Kind) => activity.of(kind);

  const stored = await storedIds(round);
  const records = of('record');
  const isLost = ({ result }: Thing) => !stored.has(result);
  const [before, after] = [records.filter(isBefore), records.filter(isAfter)];
  expect(
    `${before.length} Records from before the copy: ${before.filter(isLost).length} are missing`,
    !before.some(isLost),
  );
  expect(
    `${after.length} Records from after it: ${after.filter(isLost).length} are missing`,
    part === 'record-store' ? after.every(isLost) : !after.some(isLost),
  );

  const works = await workingGrants(round);
  const grants = of('grant').filter(({ key }) => !round.withdrawn.grants.has(key));
  const isRefused = ({ key }: Thing) => !works.has(key);
  const newGrants = grants.filter(isAfter);
  expect(`grants from before the copy work`, !grants.filter(isBefore).some(isRefused));
  expect(
    `${newGrants.length} grants from after it: ${newGrants.filter(isRefused).length} are unknown`,
    part === 'grants' ? newGrants.every(isRefused) : !newGrants.some(isRefused),
  );

  const revived = [...round.withdrawn.grants].filter((key) => works.has(key)).length;
  const isBack = part === 'grants';
  expect(
    `${round.withdrawn.grants.size} grants revoked after the copy: ${revived} work again`,
    revived === (isBack ? round.withdrawn.grants.size : 0),
  );
  expect(
    `a Member removed after it is ${isBack ? 'a Member again' : 'no Member'}`,
    (await isMember(round)) === isBack,
  );
  const isDeletedBack = await hasRecord(round);
  expect(
    `a Record deleted after it is ${isDeletedBack ? 'there again' : 'deleted'}`,
    isDeletedBack === (part === 'record-store'),
  );

  for (const [kind, name] of [
    ['draft', 'entries of the mail history'],
    ['file', 'files added by an operator'],
  ] as const) {
    const shown = await shownKeys(round, kind);
    const later = of(kind).filter(isAfter);
    const lost = (things: Thing[]) => things.filter(({ key }) => !shown.has(key)).length;
    const isSetBack = part === kinds[kind];
    expect(
      `${later.length} ${name} from after the copy: ${lost(later)} are missing`,
      lost(later) === (isSetBack ? later.length : 0) && lost(of(kind).filter(isBefore)) === 0,
    );
  }

  const results = await activity.repeatAll();
  const former = new Set(activity.things.map(({ result }) => result));
  const changed = activity.things.filter((thing) => results.get(thing) !== thing.result);
  const mayChange = ({ kind }: Thing) =>
    kinds[kind] === part && ['record', 'revision', 'grant'].includes(kind);
  expect(
    `all ${activity.things.length} calls repeated with their keys succeed; ${changed.length} made their thing anew`,
    changed.every((thing) => mayChange(thing) && !isBefore(thing)),
  );
  expect('no former id has another owner', !changed.some((thing) => former.has(results.get(thing)!)));
  const keys = await keysStored(round);
  expect('each key has one Record', keys.length === new Set(keys).size && keys.length === records.length);
  const drafts = of('draft').length;
  expect(`${drafts} e-mails have one draft each`, draftsIn(round) === drafts);
  const { first, second } = await recounts(round);
  expect(
    `the quota is right: a recount corrects ${first} bytes, another one none`,
    first === 0 && second === 0,
  );
  return [...found, ...(await followed(round, results))];
}

/** What webhooks, feed and audit log tell of all Records that were ever acknowledged, and of some more. */
async function followed(round: Round, repeated: ReadonlyMap<Thing, string>): Promise<Finding[]> {
  const { part, activity, following, known, operator, demo } = round;
  const found: Finding[] = [];
  const expect = (text: string, isExpected: boolean) => found.push({ text, isExpected });
  const isStreams = part.endsWith('streams');
  const feed = await following.feedGoesOn();
  expect(
    `a reader of the feed ${feed === true ? 'goes on' : `gets ${feed}`}`,
    feed === (isStreams ? 'event_cursor_expired' : true),
  );
  const { deleted, late } = await following.endpoints();
  const isBack = part === 'events';
  expect(
    `a webhook endpoint deleted after the copy is ${deleted ? 'there again' : 'deleted'}`,
    deleted === isBack,
  );
  expect(`one created after it is ${late ? 'there' : 'missing'}`, late !== isBack);

  const before = activity.of('record');
  const records = new Set(before.flatMap((thing) => [thing.result, repeated.get(thing)!]));
  for (const id of await activity.more()) records.add(id);
  const untold = await following.untold(records);
  expect(`webhooks tell of ${records.size} Records: ${untold} are missing`, untold === 0);
  const isRotated = following.signsWithRotated();
  expect(`the secret rotated after the copy ${isRotated ? 'signs' : 'signs no more'}`, isRotated !== isBack);
  const { missing, repeated: twice } = await following.unaudited(records);
  expect(
    `the audit log tells of ${records.size} Records: ${missing} are missing, ${twice} have several entries`,
    missing === 0 && twice === 0,
  );
  const workspace = demo.workspace_id;
  const { valid } = await operator.call(verifyAudit, { workspace });
  expect('the chain of the audit log is whole', valid);
  const { last_block, hash } = known;
  if (last_block !== null) {
    const { valid: isSame } = await operator.call(verifyAudit, { workspace, block: last_block, hash });
    const text = `its block noted before the restart is ${isSame ? 'the same' : 'another one'}`;
    // A block that was written anew has other entries, unless the same ones arrived together again.
    expect(text, isSame || part === 'audit');
  }
  return found;
}

const call = async ({ demo }: Round, operation: string, input: object) =>
  (await execute(demo.base_url, demo.owner.token, operation, input)) as {
    status: number;
    body: { result?: Record<string, unknown> };
  };

interface Listed {
  readonly id: string;
  readonly payload: { readonly key: string };
}

/** The Records of the round's Collection, but not the one that was deleted. */
async function listed(round: Round): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { collection_id: round.activity.collection, limit: 200, ...(cursor && { cursor }) };
    const { body } = await call(round, 'record_store.list_records', input);
    const page = body.result as { records: Listed[]; next_cursor: string | null };
    all.push(...page.records);
    cursor = page.next_cursor;
  }
  return all.filter(({ id }) => id !== round.withdrawn.record);
}

async function storedIds(round: Round): Promise<ReadonlySet<string>> {
  return new Set((await listed(round)).map(({ id }) => id));
}

async function keysStored(round: Round): Promise<string[]> {
  return (await listed(round)).map(({ payload }) => payload.key);
}

/** The keys of the grants whose secret works. */
async function workingGrants({ demo, activity }: Round): Promise<ReadonlySet<string>> {
  const working = new Set<string>();
  for (const [key, secret] of activity.secrets) {
    const { status } = await execute(demo.base_url, secret, 'record_store.list_collections', {});
    if (status === 200) working.add(key);
  }
  return working;
}

/** The keys in the history of e-mails, or in the listing of files. */
async function shownKeys(round: Round, kind: 'draft' | 'file'): Promise<ReadonlySet<string>> {
  const operation = kind === 'draft' ? 'mail.list_send_history' : 'knowledge.list_visible_files';
  const { body } = await call(round, operation, {});
  return new Set(activityKeys(round).filter((key) => JSON.stringify(body.result).includes(`"${key}"`)));
}

function activityKeys({ activity }: Round): string[] {
  return activity.things.map(({ key }) => key);
}

async function isMember({ operator, demo, withdrawn }: Round): Promise<boolean> {
  const { members } = await operator.call(listMembers, { workspace: demo.workspace_id });
  return members.some(({ user_id, status }) => user_id === withdrawn.member && status === 'active');
}

async function hasRecord(round: Round): Promise<boolean> {
  const { activity, withdrawn } = round;
  const input = { collection_id: activity.collection, record_id: withdrawn.record };
  return (await call(round, 'record_store.get_record', input)).status === 200;
}

/** The number of drafts in the mailboxes of the local provider. */
function draftsIn({ directory, demo }: Round): number {
  const { mail } = localDirectory({ LOCAL_DIR: directory });
  const files = readdirSync(mail, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.includes(demo.workspace_id) && file.endsWith('.eml')).length;
}

async function recounts({ operator, demo }: Round): Promise<{ first: number; second: number }> {
  const workspace = demo.workspace_id;
  const { drift_bytes: first } = await operator.call(recountQuota, { workspace });
  const { drift_bytes: second } = await operator.call(recountQuota, { workspace });
  return { first, second };
}

/** Revokes a grant. */
export async function revoke({ base_url, owner }: Demo, id: string): Promise<void> {
  const path = `/api/v1/operation-grants/${id}`;
  const { status } = await send(base_url, { method: 'DELETE', path, token: owner.token });
  if (status !== 200) throw new Error(`The gateway revoked no grant: ${status}`);
}
