import { addSender } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Agent, type Attempt } from './agent.ts';
import { createGrant } from './http.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

let stack: SharedStack;
let agent: Agent;
let colleague: Agent;

beforeAll(async () => {
  stack = await SharedStack.join();
  const { base_url, workspace_id: workspace, owner } = await stack.workspace();
  const sender = { email: 'team@example.com', display_name: 'Team', everyone: true, interactive: true };
  await stack.operator.call(addSender, { workspace, ...sender });
  agent = await Agent.discover(base_url, owner.token);
  colleague = await Agent.discover(base_url, owner.token);
});
afterAll(() => stack.leave());

/** The outcome of an attempt: its result, or the code of its error. */
const outcome = ({ result, error }: Attempt) => result ?? error?.code;

describe('an agent with nothing but the discovery answer', () => {
  test('drafts a procedure', async () => {
    expect(
      outcome(await agent.do('create draft procedure', { slug: 'greet', title: 'Greet' })),
    ).toMatchObject({
      procedure: { slug: 'greet', title: 'Greet', state: 'draft' },
    });
  });

  test('finds a sender and drafts an e-mail from it', async () => {
    const { result } = await agent.do('list senders');
    const [sender] = result!.senders as unknown as { sender_id: string }[];
    const drafted = await agent.do('draft e-mail', { to: ['ada@example.com'], sender_id: sender!.sender_id });
    expect(outcome(drafted)).toMatchObject({ status: 'drafted', sender_id: sender!.sender_id });
  });

  test('creates a Collection, pushes a Record into it and patches the Record', async () => {
    await agent.do('create collection', { name: 'customers' });
    await agent.do('push record', { payload: { name: 'Ada', visits: 1 } });
    expect(outcome(await agent.do('patch record', { patch: { visits: 2 } }))).toMatchObject({
      record: { version: 2, payload: { name: 'Ada', visits: 2 } },
    });
    expect(outcome(await agent.do('get record'))).toMatchObject({ record: { payload: { visits: 2 } } });
  });
});

describe('following next, the agent recovers from', () => {
  test('a slug that is taken', async () => {
    const refused = await agent.do('create draft procedure', { slug: 'greet', title: 'Greet differently' });
    expect(outcome(refused)).toBe('procedure_slug_taken');
    const { result, input } = await agent.recover(refused);
    expect(result).toMatchObject({ procedure: { title: 'Greet differently', slug: input.slug } });
    expect(input.slug).not.toBe('greet');
  });

  test('a sender that it may not use', async () => {
    const refused = await agent.do('draft e-mail', { to: ['ada@example.com'], sender_id: 'snd_guessed' });
    expect(outcome(refused)).toBe('mail_sender_not_authorized');
    expect(outcome(await agent.recover(refused))).toMatchObject({ status: 'drafted' });
  });

  test('a Record that another client changed meanwhile', async () => {
    const { collection_id, record_id } = await aRecord();
    await colleague.do('patch record', { collection_id, record_id, patch: { visits: 7 } });
    const refused = await agent.do('patch record', { patch: { name: 'Ada L.' }, expected_version: 1 });
    expect(outcome(refused)).toBe('record_store_stale_version');
    expect(outcome(await agent.recover(refused))).toMatchObject({
      record: { version: 3, payload: { name: 'Ada L.', visits: 7 } },
    });
  });

  test('a Record that another client archived', async () => {
    await colleague.do('archive record', await aRecord());
    const refused = await agent.do('replace record', { payload: { name: 'Bob' } });
    expect(outcome(refused)).toBe('record_store_record_archived');
    expect(outcome(await agent.recover(refused))).toMatchObject({
      record: { state: 'active', payload: { name: 'Bob' } },
    });
  });

  test('a Record that must be archived before it is deleted', async () => {
    const { record_id } = await aRecord();
    const refused = await agent.do('delete record');
    expect(outcome(refused)).toBe('record_store_record_not_archived');
    expect(outcome(await agent.recover(refused))).toEqual({ deleted: { id: record_id } });
  });

  test('a Collection that it remembers wrongly', async () => {
    const refused = await agent.do('push record', { collection_id: 'col_guessed', payload: { name: 'Eve' } });
    expect(outcome(refused)).toBe('record_store_collection_not_found');
    expect(outcome(await agent.recover(refused))).toMatchObject({ record: { payload: { name: 'Eve' } } });
  });

  test('a Record that it remembers wrongly', async () => {
    const refused = await agent.do('patch record', { record_id: 'rec_guessed', patch: { name: 'Zoe' } });
    expect(outcome(refused)).toBe('record_store_record_not_found');
    expect(outcome(await agent.recover(refused))).toMatchObject({ record: { payload: { name: 'Zoe' } } });
  });

  test('a key that it used before', async () => {
    const key = { idempotency_key: 'eve' };
    await agent.do('push record', { ...key, payload: { name: 'Eve' } });
    const refused = await agent.do('push record', { ...key, payload: { name: 'Mallory' } });
    expect(outcome(refused)).toBe('record_store_idempotency_conflict');
    expect(outcome(await agent.recover(refused))).toMatchObject({ record: { payload: { name: 'Mallory' } } });
  });

  test('an input with a wrong value', async () => {
    const refused = await agent.do('draft e-mail', { to: ['ada@example.com'], subject: '' });
    expect(outcome(refused)).toBe('invalid_request');
    expect(outcome(await agent.recover(refused))).toMatchObject({ status: 'drafted' });
  });
});

describe('an agent with nothing but its tools takes the steps of the tour:', () => {
  let tooled: Agent;
  beforeAll(async () => {
    const { base_url, owner } = await stack.workspace();
    tooled = await Agent.withTools(base_url, owner.token);
  });

  test('pushes a Record, recovers from a stale version and from an archived Record, and reads the history', async () => {
    await tooled.do('create collection', { name: 'tour', description: '', member_writes_enabled: true });
    const payload = { title: 'Hello', amount: 1 };
    await tooled.do('push record', { payload, idempotency_key: 'tour-1' });
    await tooled.do('patch record', { patch: { title: 'Hello again' }, idempotency_key: 'tour-2' });
    const stale = await tooled.do('replace record', { payload: {}, expected_version: 1 });
    expect(outcome(stale)).toBe('record_store_stale_version');
    expect(outcome(await tooled.recover(stale))).toMatchObject({ record: { version: 3, payload: {} } });
    await tooled.do('archive record');
    const archived = await tooled.do('replace record', { payload: { amount: 2 } });
    expect(outcome(archived)).toBe('record_store_record_archived');
    expect(outcome(await tooled.recover(archived))).toMatchObject({
      record: { version: 4, state: 'active' },
    });
    const { result } = await tooled.do('get record history');
    expect(result!.revisions).toHaveLength(4);
  });

  test('drafts an e-mail and a procedure, and lists files', async () => {
    const email = { to: ['someone@example.com'], subject: 'Hello', body: 'A first draft.' };
    expect(outcome(await tooled.do('send email', email))).toMatchObject({ status: 'drafted' });
    const procedure = { slug: 'tour', title: 'Tour', description: '', markdown: '# Tour' };
    expect(outcome(await tooled.do('create draft', procedure))).toMatchObject({ procedure });
    expect(outcome(await tooled.do('list files'))).toMatchObject({ groups: expect.any(Array) });
  });
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
    data: { collectionIds: [id], senderIds: [sender.sender_id] },
    outputDefinition: 'weekly-report',
    maximumCadence: { invocations: 1, periodSeconds: 3600 },
  });
  const tooled = await Agent.withTools(base_url, secret, 'run-1');
  const pushed = await tooled.do('push record', { payload: { a: 1 } });
  expect(outcome(pushed)).toMatchObject({ record: { collection_id: id } });
  const email = { to: ['ada@example.com'], subject: 'Report', body: 'Text' };
  const drafted = await tooled.do('send email', email);
  expect(outcome(drafted)).toMatchObject({ status: 'drafted', sender_id: sender.sender_id });
  expect(drafted.input).toMatchObject({ output_definition: 'weekly-report' });
});

test('discovery lists every operation that the next of an error names', () => {
  const errors = agent.operations.flatMap((operation) =>
    (operation.errors ?? []).map((error) => ({ ...agent.namedIn(error, operation), code: error.code })),
  );
  const following = errors.filter(({ calls, fields }) => calls.length + fields.length > 0);
  expect(new Set(following.map(({ code }) => code)).size).toBeGreaterThan(10);
});

/** A Record that the agent has just pushed; it remembers the ids. */
async function aRecord(): Promise<{ collection_id: unknown; record_id: unknown }> {
  const { result } = await agent.do('push record', { payload: { name: 'Ada', visits: 1 } });
  const { id, collection_id } = result!.record as unknown as { id: unknown; collection_id: unknown };
  return { collection_id, record_id: id };
}
