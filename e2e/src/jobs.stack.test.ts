import { randomUUID } from 'node:crypto';
import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { send } from './http.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

let stack: SharedStack;
let demo: Demo;
beforeAll(async () => {
  stack = await SharedStack.join();
  demo = await stack.workspace();
});
afterAll(() => stack.leave());

interface Answer {
  readonly result: {
    readonly status: string;
    readonly draft_id: string;
    readonly senders: readonly { readonly sender_id: string }[];
  };
  readonly grant: object;
  readonly secret: string;
}

/** Posts to the gateways in turn. */
async function post(
  path: string,
  token: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const gateway = demo.gateways[turn++ % demo.gateways.length]!;
  const sent = { method: 'POST', path: `/api/v1/${path}`, token, body: JSON.stringify(body), headers };
  const answer = await send(gateway, sent);
  const replayed = answer.headers['idempotent-replayed'];
  return { status: answer.status, replayed, body: JSON.parse(answer.text) as Answer };
}
let turn = 0;

const email = { to: ['ada@example.com'], subject: 'Report', body: 'Ready.' };
const sendEmail = (token: string, changes: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  post('operations/mail.send_email', token, { ...email, ...changes }, headers);

/** Creates a routine grant that may draft in the Member's own mailbox. */
async function createJob(idempotencyKey: string) {
  const { body } = await post('operations/mail.list_authorized_senders', demo.member.token, {});
  const { sender_id } = body.result.senders[0]!;
  const request = {
    name: 'Report',
    operations: ['mail.send_email'],
    data: { senderIds: [sender_id] },
    outputDefinition: 'report',
    maximumCadence: { invocations: 10, periodSeconds: 3600 },
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    idempotencyKey,
  };
  const create = () => post('routine-grants', demo.member.token, request);
  return { sender_id, create };
}

test('two e-mails that a service sends without a key in one trace are two drafts', async () => {
  const traceparent = `00-${randomUUID().replaceAll('-', '')}-00f067aa0ba902b7-01`;
  const first = await sendEmail(demo.member.token, {}, { traceparent });
  const second = await sendEmail(demo.member.token, { subject: 'Another report' }, { traceparent });
  const same = await sendEmail(demo.member.token, {}, { traceparent });
  const answers = [first, second, same];
  expect(answers.map(({ body }) => body.result.status)).toEqual(['drafted', 'drafted', 'drafted']);
  expect(new Set(answers.map(({ body }) => body.result.draft_id)).size).toBe(3);
});

test('a job that reuses the key of an interactive call drafts a separate e-mail', async () => {
  const key = { idempotency_key: randomUUID() };
  const { sender_id, create } = await createJob(randomUUID());
  const { secret } = (await create()).body;
  const job = { sender_id, output_definition: 'report', ...key };
  const run = { 'x-routine-invocation-id': 'run-1' };
  const ofPerson = await sendEmail(demo.member.token, key);
  const ofJob = await sendEmail(secret, job, run);
  expect([ofJob.status, ofJob.replayed]).toEqual([200, undefined]);
  expect(ofJob.body.result.draft_id).not.toBe(ofPerson.body.result.draft_id);
  expect((await sendEmail(secret, job, run)).replayed).toBe('true');
});

test('a provisioning script that runs again does not stop the job', async () => {
  const { sender_id, create } = await createJob(randomUUID());
  const lost = (await create()).body;
  const { grant, secret } = (await create()).body;
  const job = (run: string, of: string) =>
    sendEmail(of, { sender_id, output_definition: 'report' }, { 'x-routine-invocation-id': run });
  expect((await job('run-1', lost.secret)).status).toBe(401);
  expect((await job('run-1', secret)).status).toBe(200);
  const again = await create();
  expect([again.status, again.replayed]).toEqual([201, 'true']);
  expect(again.body).toEqual({ grant: { ...grant, lastUsedAt: expect.any(String) } });
  expect((await job('run-2', secret)).status).toBe(200);
});
