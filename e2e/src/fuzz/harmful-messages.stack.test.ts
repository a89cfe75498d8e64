import assert from 'node:assert/strict';
import {
  type BusUser,
  busHeaders,
  connectApp,
  discover,
  getRecord,
  grantRoutes,
  inboxPrefix,
  operationSubject,
  operations,
  type Principal,
  pushRecord,
} from '@action-platform/contracts';
import { readDeployment } from '@action-platform/deployment';
import { localDirectory, readStack } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { type Heard, Rogue, TestIssuer, TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SharedStack } from '../shared-stack.ts';
import { COLLEAGUE } from '../workspace.ts';
import { rawAnswers } from './http/answers.ts';
import { requireSound } from './http/sound-answer.ts';
import { talk } from './http/talk.ts';
import { type Fuzzed, makeFuzzed } from './references.ts';
import { requireHarmless, StackHealth } from './stack-health.ts';

// Messages on the bus that once did harm, each with what it caused.

jest.setTimeout(120_000);

type Headers = Readonly<Record<string, string>>;
const { principal, retryAfter, status, timeoutMs } = busHeaders;
const linesOf = (headers: Headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
/** The value of the first header with a name; undefined without one. */
const headerOf = ({ headers }: Heard, name: string) =>
  new RegExp(`^${name}: *(.*)\\r$`, 'mi').exec(headers)?.[1];

describe('a service answers with a result or a refusal', () => {
  const common = {
    [busHeaders.requestId]: 'fuzz',
    [busHeaders.traceparent]: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
    [timeoutMs]: '20000',
  };
  const query = '{"workspaceId":{"$ne":""},"userId":{"$ne":""},"role":"owner","connections":{}}';
  const subjectOf = (id: string) => operationSubject(operations.get(id)!);
  let stack: SharedStack;
  let fuzzed: Fuzzed;
  let health: StackHealth;
  let keys: NonNullable<ReturnType<typeof readDeployment>>['busKeys']['inUse'];

  beforeAll(async () => {
    stack = await SharedStack.join();
    fuzzed = await makeFuzzed(stack);
    health = new StackHealth(stack, fuzzed.mark);
    keys = readDeployment(localDirectory({ LOCAL_DIR: stack.directory }).keys)!.busKeys.inUse;
  });
  afterAll(() => stack.leave());

  /** The first answer to a message. */
  async function ask(as: BusUser, subject: string, headers: Headers, body: string): Promise<Heard> {
    const { nats_url: url } = readStack(localDirectory({ LOCAL_DIR: stack.directory }));
    const rogue = await Rogue.connect(url, keys[as].seed);
    const answered = Promise.withResolvers<Heard>();
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
    const { id: workspace } = fuzzed.workspace;
    const mailbox = { workspace, user: COLLEAGUE, app: 'mail_suite', email: 'paul@example.com' };
    const headers = { ...common, [timeoutMs]: '99999999999999' };
    const answer = await ask('admin', connectApp.subject, headers, JSON.stringify(mailbox));
    expect(headerOf(answer, status)).toBe('200');
    await health.check();
  });
});

describe('a gateway answers a call once', () => {
  interface Answer {
    readonly headers: Headers;
    readonly body: string;
  }
  const answerOf = (code: string, body: string, headers: Headers = {}): Answer => {
    return { headers: { [status]: code, ...headers }, body };
  };
  const anyone: Principal = { workspaceId: 'ws_1', userId: 'olga', role: 'owner', connections: {} };
  const forbidden = { [retryAfter]: String.raw`"a\r\nb: c"` };
  const granted = answerOf('200', JSON.stringify(anyone));
  const unavailable = '{"error":{"code":"action_platform_unavailable","message":"m"}}';
  const read = { method: 'POST', path: `/api/v1/operations/${getRecord.id}`, body: '{}', effect: 'read' };
  const write = { ...read, path: `/api/v1/operations/${pushRecord.id}`, effect: 'write' };
  const discovery = { method: 'GET', path: '/api/v1/operations', body: '', effect: discover.effect };

  const platform = new TestPlatform();
  const issuer = new TestIssuer();
  let gateway: TestProcess;
  let url: string;
  let authority: Answer;
  let outcome: Answer;
  let isAsked: boolean;

  beforeAll(async () => {
    const [grants, recordStore] = [await platform.rogue('grants'), await platform.rogue('record-store')];
    const publish = (rogue: Rogue, reply: string, { headers, body }: Answer) =>
      rogue.publish(reply, { headers: linesOf(headers), body });
    await grants.subscribe('grants.>', ({ reply, subject }) => {
      const isAuthority = /^grants\.(authorize|discover)$/.test(subject);
      if (reply !== '' && isAuthority)
        publish(grants, reply, subject === discover.subject ? outcome : authority);
    });
    await recordStore.subscribe('op.record-store.>', ({ reply }) => {
      isAsked = true;
      if (reply !== '') publish(recordStore, reply, outcome);
    });
    await issuer.start();
    const PORT = String(await freePort());
    url = `http://127.0.0.1:${PORT}`;
    const variables = { PORT, REQUEST_DEADLINE_MS: '600', LOG_LEVEL: 'debug' };
    gateway = await platform.spawn('gateway', { ...issuer.environment, ...variables });
  });
  afterAll(async () => {
    await platform.stop();
    issuer.stop();
  });

  test.each<[answer: string, request: typeof read, authority: Answer, outcome: Answer]>([
    ['a principal that is no JSON, which it logs', read, answerOf('200', '<html>'), answerOf('99', '{}')],
    ['a fraction as Retry-After', discovery, answerOf('503', unavailable, { [retryAfter]: '0.5' }), granted],
    ['a header that HTTP forbids', write, granted, answerOf('200', '{"result":{}}', forbidden)],
  ])('although services answer with %s', async (_answer, request, ofGrants, ofService) => {
    [authority, outcome, isAsked] = [ofGrants, ofService, false];
    const { method, path, body, effect } = request;
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: gateway',
      `Authorization: Bearer ${await issuer.token({ workspaceId: 'ws_1', userId: 'olga' })}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const received = await talk(url, { writes: [`${lines.join('\r\n')}\r\n\r\n${body}`], isWhole: true });
    const [answer, ...others] = rawAnswers(received, false);
    assert(answer !== undefined && others.length === 0, `${others.length + 1} answers`);
    expect(answer.headers['x-request-id']).toBeDefined();
    if (answer.body === ofService.body) return;
    const code = requireSound(answer);
    if (effect === 'write' && isAsked) expect(code).not.toBe('action_platform_unavailable');
  });

  test('and logs nothing but the failed requests', () => {
    requireHarmless('gateway', gateway.lines, 'no text', /^request failed$/);
  });
});
