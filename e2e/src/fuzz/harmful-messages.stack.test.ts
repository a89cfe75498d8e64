import { busHeaders, inboxPrefix } from '@action-platform/contracts/bus';
import { connectApp, operationSubject } from '@action-platform/contracts/calls';
import { operations } from '@action-platform/contracts/operations';
import { grantRoutes } from '@action-platform/contracts/resources';
import type { BusUser } from '@action-platform/contracts/services';
import { readDeployment } from '@action-platform/deployment';
import { type Demo, localDirectory, readStack } from '@action-platform/local';
import { type ReceivedMessage, Rogue } from '@action-platform/testing';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SharedStack } from '../shared-stack.ts';
import { requireSound } from './http/sound-answer.ts';
import { StackHealth } from './stack-health.ts';

// Messages on the bus that once did harm, each with what it caused.

jest.setTimeout(120_000);

type Headers = Readonly<Record<string, string>>;
const { principal, retryAfter, status, timeoutMs } = busHeaders;
const linesOf = (headers: Headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
/** The value of the first header with a name; undefined without one. */
const headerOf = ({ headers }: ReceivedMessage, name: string) =>
  new RegExp(`^${name}: *(.*)\\r$`, 'mi').exec(headers)?.[1];

describe('a service answers with a result or a refusal', () => {
  const common = {
    [busHeaders.requestId]: 'fuzz',
    [busHeaders.traceparent]: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
    [timeoutMs]: '20000',
  };
  const query = '{"workspaceId":{"$ne":""},"userId":{"$ne":""},"role":"owner","connections":{}}';
  const subjectOf = (id: string) => operationSubject(operations.get(id)!);
  const stack = new SharedStack();
  let demo: Demo;
  let health: StackHealth;
  let keys: NonNullable<ReturnType<typeof readDeployment>>['busKeys']['inUse'];

  beforeAll(async () => {
    demo = await stack.workspace();
    health = new StackHealth(stack, demo.owner.token);
    keys = readDeployment(localDirectory({ LOCAL_DIR: stack.directory }).keys)!.busKeys.inUse;
  });

  /** The first answer to a message. */
  async function ask(as: BusUser, subject: string, headers: Headers, body: string): Promise<ReceivedMessage> {
    const { nats_url: url } = readStack(localDirectory({ LOCAL_DIR: stack.directory }));
    const rogue = await Rogue.connect(url, keys[as].seed);
    const answered = Promise.withResolvers<ReceivedMessage>();
    const reply = `${inboxPrefix(as)}.FUZZ.1`;
    await rogue.subscribe(reply, answered.resolve);
    rogue.publish(subject, { reply, headers: linesOf(headers), body });
    const answer = await answered.promise;
    rogue.close();
    return answer;
  }

  test.each<[harm: string, subject: string, headers: Headers]>([
    ['grants failed: no session', grantRoutes.operation.list.subject, common],
    [
      'a query had the operators',
      subjectOf('record_store.list_collections'),
      { ...common, [principal]: query },
    ],
    ['its answer had no status', subjectOf('knowledge.list_visible_files'), { ...common, [principal]: '{' }],
  ])('to a caller that is none; once %s', async (_harm, subject, headers) => {
    const answer = await ask('gateway', subject, headers, '{}');
    const { error } = JSON.parse(answer.body) as { error: { requestId: string } };
    const shown = { 'x-request-id': error.requestId, 'retry-after': headerOf(answer, retryAfter) ?? '' };
    requireSound({ status: Number(headerOf(answer, status)), headers: shown, body: answer.body });
    expect(headerOf(answer, status)).not.toBe('200');
    await health.check();
  });

  test('to a time limit beyond the range of timers; once another service had a millisecond', async () => {
    const who = { workspace: demo.workspace_id, user: demo.member.user_id };
    const mailbox = { ...who, app: 'mail_suite', email: 'paul@example.com' };
    const headers = { ...common, [timeoutMs]: '99999999999999' };
    const answer = await ask('admin', connectApp.subject, headers, JSON.stringify(mailbox));
    expect(headerOf(answer, status)).toBe('200');
    await health.check();
  });
});
