/**
 * Sets the database of one service, or JetStream, back to an earlier moment while all else stays, as after a restore from a backup of that
 * part alone, and asserts which promises hold: `npm run e2e -- restore --help`. docs/backup.md has the result.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EVENTS, removeMember, services, verifyAudit } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { execute, StackProcess } from '../stack-process.ts';
import { Activity } from './activity.ts';
import { Following } from './following.ts';
import { copyPart, type Part } from './platform.ts';
import { findings, revoke } from './promises.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- restore [options]

  --rounds 9     each with another part: the database of a service, 'streams', 'lost streams'
  --only PART    sets back this part alone
  --seconds 3    the longest load before and after the copy`);
  process.exit();
}

const MEMBER = 'leaving';
/** More than the restarted platform publishes until everything that follows the stream has looked at it. */
const LOST_MESSAGES = 50;
const parts: readonly Part[] = [...services, 'streams', 'lost streams'];
const someTime = () => delay(500 + Math.random() * 1000 * Number(options.seconds));

const stack = new StackProcess();
stack.environment.AUDIT_WINDOW_MS = '2000';
await endWith(stack, async () => {
  const { base_url, gateways } = await stack.start();
  let isGood = true;
  for (let round = 0; round < Number(options.rounds); round++) {
    const part = (options.only as Part) ?? parts[round % parts.length]!;
    let operator = await Operator.of(stack);
    const demo = await workspaceOf(operator, { base_url, gateways });
    const following = await Following.begin(demo);
    const activity = await Activity.begin(demo, () => operator, `round-${round}`);
    const record = await archivedRecord(demo, activity.collection);
    await someTime();
    const from = performance.now();
    const setBack = await copyPart(stack, part);
    const to = performance.now();
    const { lastSequence: copied } = await operator.streams.state(EVENTS);
    const grants = activity.things
      .filter(({ kind, doneAt }) => kind === 'grant' && doneAt < from)
      .slice(0, 2);
    for (const { result } of grants) await revoke(demo, result);
    await execute(base_url, demo.owner.token, 'record_store.delete_record', {
      collection_id: activity.collection,
      record_id: record,
    });
    await operator.call(removeMember, { workspace: demo.workspace_id, user: MEMBER });
    await following.change();
    await someTime();
    // So few lost messages that new ones replace them at once would be noticed by nobody.
    const lost = async () => (await operator.streams.state(EVENTS)).lastSequence - copied;
    while (part === 'streams' && (await lost()) < LOST_MESSAGES) await delay(100);
    await activity.stop();
    const seconds = ((performance.now() - to) / 1000).toFixed(1);
    const known = await operator.call(verifyAudit, { workspace: demo.workspace_id });
    const records = new Set(activity.of('record').map(({ result }) => result));
    // What the streams alone had would be lost with them.
    if (part.endsWith('streams'))
      await Promise.all([following.unaudited(records), following.untold(records)]);
    await following.noteEnd();
    await operator.close();
    await stack.stop();
    await setBack();
    await stack.start();
    operator = await Operator.of(stack);
    const withdrawn = { grants: new Set(grants.map(({ key }) => key)), record, member: MEMBER };
    const { directory } = stack;
    const copy = { from, to };
    const of = { part, demo, operator, directory, activity, following, known, copy, withdrawn };
    say(`${part} set back by ${seconds} s:`);
    for (const { text, isExpected } of await findings(of)) {
      say(`  ${isExpected ? 'as expected' : 'NOT EXPECTED'}: ${text}`);
      isGood &&= isExpected;
    }
    following.stop();
    await operator.close();
  }
  return isGood;
});

/** A new Workspace with an Owner who has a mailbox, and a Member. */
async function workspaceOf(operator: Operator, gateway: Pick<Demo, 'base_url' | 'gateways'>): Promise<Demo> {
  const workspace_id = await operator.workspace();
  const person = async (user_id: string, role: 'owner' | 'member') => ({
    user_id,
    token: await operator.member(workspace_id, user_id, role),
  });
  const demo = {
    ...gateway,
    workspace_id,
    owner: await person('olga', 'owner'),
    member: await person(MEMBER, 'member'),
  };
  await operator.connectMail(workspace_id, 'olga', `${workspace_id}@example.com`);
  return demo;
}

/** An archived Record, which its Owner may delete. */
async function archivedRecord({ base_url, owner }: Demo, collection_id: string): Promise<string> {
  const call = (operation: string, input: object) => execute(base_url, owner.token, operation, input);
  const { body } = await call('record_store.push_record', { collection_id, payload: { key: 'deleted' } });
  const record_id = (body.result as unknown as { record: { id: string } }).record.id;
  await call('record_store.archive_record', { collection_id, record_id });
  return record_id;
}
