/**
 * Sets the database of one service back to an earlier moment while the others stay, as after a restore from a backup of that service
 * alone, and asserts which promises hold: `npm run e2e -- restore --help`. docs/backup.md has the result.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { removeMember, type ServiceName } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { execute, StackProcess } from '../stack-process.ts';
import { Activity, kinds } from './activity.ts';
import { copyOf, restartWith } from './platform.ts';
import { findings, revoke } from './promises.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- restore [options]

  --rounds 5     each with another service
  --only NAME    sets back this service alone
  --seconds 3    the longest load before and after the copy`);
  process.exit();
}

const MEMBER = 'leaving';
const withDatabases = [...new Set<ServiceName>(Object.values(kinds))];
const someTime = () => delay(500 + Math.random() * 1000 * Number(options.seconds));

const stack = new StackProcess();
await endWith(stack, async () => {
  const { base_url, gateways } = await stack.start();
  let isGood = true;
  for (let round = 0; round < Number(options.rounds); round++) {
    const service = (options.only as ServiceName) ?? withDatabases[round % withDatabases.length]!;
    let operator = await Operator.of(stack);
    const demo = await workspaceOf(operator, { base_url, gateways });
    const activity = await Activity.begin(demo, () => operator, `round-${round}`);
    const record = await archivedRecord(demo, activity.collection);
    await someTime();
    const from = performance.now();
    const copy = await copyOf(stack, service);
    const to = performance.now();
    const grants = activity.things
      .filter(({ kind, doneAt }) => kind === 'grant' && doneAt < from)
      .slice(0, 2);
    for (const { result } of grants) await revoke(demo, result);
    await execute(base_url, demo.owner.token, 'record_store.delete_record', {
      collection_id: activity.collection,
      record_id: record,
    });
    await operator.call(removeMember, { workspace: demo.workspace_id, user: MEMBER });
    await someTime();
    await activity.stop();
    const seconds = ((performance.now() - to) / 1000).toFixed(1);
    await operator.close();
    await restartWith(stack, service, copy);
    operator = await Operator.of(stack);
    const withdrawn = { grants: new Set(grants.map(({ key }) => key)), record, member: MEMBER };
    const { directory } = stack;
    const known = { service, demo, operator, directory, activity, copy: { from, to }, withdrawn };
    say(`${service} set back by ${seconds} s:`);
    for (const { text, isExpected } of await findings(known)) {
      say(`  ${isExpected ? 'as expected' : 'NOT EXPECTED'}: ${text}`);
      isGood &&= isExpected;
    }
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
