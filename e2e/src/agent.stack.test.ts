import { addSender } from '@action-platform/contracts/calls';
import { createGrant } from '@action-platform/testing/http';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { Agent, type Attempt } from './agent.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let agent: Agent;
let colleague: Agent;
let tooled: Agent;

beforeAll(async () => {
  const { base_url, workspace_id: workspace, owner } = await stack.workspace();
  const sender = { email: 'team@example.com', display_name: 'Team', everyone: true, interactive: true };
  await stack.operator.call(addSender, { workspace, ...sender });
  agent = await Agent.discover(base_url, owner.token);
  colleague = await Agent.discover(base_url, owner.token);
  tooled = await Agent.withTools(base_url, owner.token);
  await agent.do('create collection', { name: 'customers' });
});

/** The outcome of an attempt: its result, or the code of its error. */
const outcome = ({ result, error }: Attempt) => result ?? error?.code;
const to = ['ada@example.com'];
/** A Record that the agent has just pushed, with the ids in its memory. */
const aRecord = async () => {
  const { result } = await agent.do('push record', { payload: { name: 'Ada', visits: 1 } });
  const { id, collection_id } = result!.record as unknown as { id: string; collection_id: string };
  return { collection_id, record_id: id };
};

test('an agent with nothing but the discovery answer finds the values of its calls', async () => {
  const { result } = await agent.do('list senders');
  const [sender] = result!.senders as unknown as { sender_id: string }[];
  const drafted = await agent.do('draft e-mail', { to, sender_id: sender!.sender_id });
  expect(outcome(drafted)).toMatchObject({ status: 'drafted', sender_id: sender!.sender_id });
  await aRecord();
  expect(outcome(await agent.do('patch record', { patch: { visits: 2 } }))).toMatchObject({
    record: { version: 2, payload: { name: 'Ada', visits: 2 } },
  });
});

test.each<[name: string, code: string, refused: () => Promise<Attempt>, recovered: object]>([
  [
    'a slug that is taken',
    'procedure_slug_taken',
    async () => {
      await agent.do('create draft procedure', { slug: 'greet', title: 'Greet' });
      return await agent.do('create draft procedure', { slug: 'greet', title: 'Greet differently' });
    },
    { procedure: { title: 'Greet differently', slug: expect.not.stringMatching(/^greet$/) } },
  ],
  [
    'a sender that it may not use',
    'mail_sender_not_authorized',
    () => agent.do('draft e-mail', { to, sender_id: 'snd_guessed' }),
    { status: 'drafted' },
  ],
  [
    'a Record that another client changed meanwhile',
    'record_store_stale_version',
    async () => {
      await colleague.do('patch record', { ...(await aRecord()), patch: { visits: 7 } });
      return await agent.do('patch record', { patch: { name: 'Ada L.' }, expected_version: 1 });
    },
    { record: { version: 3, payload: { name: 'Ada L.', visits: 7 } } },
  ],
  [
    'a Record that another client archived',
    'record_store_record_archived',
    async () => {
      await colleague.do('archive record', await aRecord());
      return await agent.do('replace record', { payload: { name: 'Bob' } });
    },
    { record: { state: 'active', payload: { name: 'Bob' } } },
  ],
  [
    'a Record that must be archived before it is deleted',
    'record_store_record_not_archived',
    async () => {
      await aRecord();
      return await agent.do('delete record');
    },
    { deleted: { id: expect.stringMatching(/^rec_/) } },
  ],
  [
    'a Collection that it remembers wrongly',
    'record_store_collection_not_found',
    () => agent.do('push record', { collection_id: 'col_guessed', payload: { name: 'Eve' } }),
    { record: { payload: { name: 'Eve' } } },
  ],
  [
    'a Record that it remembers wrongly',
    'record_store_record_not_found',
    () => agent.do('patch record', { record_id: 'rec_guessed', patch: { name: 'Zoe' } }),
    { record: { payload: { name: 'Zoe' } } },
  ],
  [
    'a key that it used before',
    'record_store_idempotency_conflict',
    async () => {
      await agent.do('push record', { idempotency_key: 'eve', payload: { name: 'Eve' } });
      return await agent.do('push record', { idempotency_key: 'eve', payload: { name: 'Mallory' } });
    },
    { record: { payload: { name: 'Mallory' } } },
  ],
  [
    'an input with a wrong value',
    'invalid_request',
    () => agent.do('draft e-mail', { to, subject: '' }),
    { status: 'drafted' },
  ],
  [
    'a stale version, with nothing but its tools',
    'record_store_stale_version',
    async () => {
      await tooled.do('create collection', { name: 'tour', description: '', member_writes_enabled: true });
      await tooled.do('push record', { payload: { amount: 1 }, idempotency_key: 'tour-1' });
      await tooled.do('patch record', { patch: { title: 'Hello' }, idempotency_key: 'tour-2' });
      return await tooled.do('replace record', { payload: {}, expected_version: 1 });
    },
    { record: { version: 3, payload: {} } },
  ],
])('following next, an agent recovers from %s', async (_name, code, refuse, recovered) => {
  const refused = await refuse();
  expect(outcome(refused)).toBe(code);
  const recovery = refused.operation.name.includes('__') ? tooled : agent;
  expect(outcome(await recovery.recover(refused))).toMatchObject(recovered);
});

test('an agent with a routine grant and nothing but its tools finds its Collection, sender and output definition', async () => {
  const { base_url, workspace_id: workspace, owner } = await stack.workspace();
  const shared = { email: 'jobs@example.com', display_name: 'Jobs', everyone: true, scheduled: true };
  const { sender } = await stack.operator.call(addSender, { workspace, ...shared });
  const person = await Agent.discover(base_url, owner.token);
  const { result } = await person.do('create collection', { name: 'jobs' });
  const { id } = result!.collection as unknown as { id: string };
  const { secret } = await createGrant(base_url, owner.token, {
    name: 'nightly',
    operations: ['mail.send_email', 'record_store.push_record'],
    data: { collectionIds: [id], senderIds: [sender.senderId] },
    outputDefinition: 'weekly-report',
    maximumCadence: { invocations: 1, periodSeconds: 3600 },
  });
  const job = await Agent.withTools(base_url, secret, 'run-1');
  expect(outcome(await job.do('push record', { payload: { a: 1 } }))).toMatchObject({
    record: { collection_id: id },
  });
  const drafted = await job.do('send email', { to, subject: 'Report', body: 'Text' });
  expect(outcome(drafted)).toMatchObject({ status: 'drafted', sender_id: sender.senderId });
  expect(drafted.input).toMatchObject({ output_definition: 'weekly-report' });
});

test('discovery lists every operation that the next of an error names', () => {
  const errors = agent.operations.flatMap((operation) =>
    (operation.errors ?? []).map((error) => ({ ...agent.namedIn(error, operation), code: error.code })),
  );
  const following = errors.filter(({ calls, fields }) => calls.length + fields.length > 0);
  expect(new Set(following.map(({ code }) => code)).size).toBeGreaterThan(10);
});
