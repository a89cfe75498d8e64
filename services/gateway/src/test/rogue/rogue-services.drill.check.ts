import {
  authorize,
  createDraft,
  grantedData,
  healthCall,
  inboxPrefix,
  knownMembers,
  listVisibleFiles,
  operationSubject,
  pushRecord,
  removeMember,
} from '@action-platform/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answersWithMore, junkRetryAfter, retryingAfter } from './answers.ts';
import { afterItsEnd, brokenAnswers, endlessAnswers, invalidBeginnings } from './long-answers.ts';
import { expectAnswer, expectFailures, expectRefusal } from './outcome.ts';
import { RoguePlatform } from './rogue-platform.ts';

/** How many requests of others a rogue tries to answer at a time, and how often. */
const GUESSES = 40;
const ROUNDS = 10;
/** The time until the callers of an endless answer leave, in milliseconds. */
const STAY_MS = 500;
/** The number of callers of an endless answer. */
const CALLERS = 2;

const platform = new RoguePlatform();
/** The reply subject of the latest request to a rogue. */
let latest = '';
/** The reply subjects of all requests to a rogue. */
const wanted = new Set<string>();

beforeAll(() => platform.start(['procedures', 'knowledge']));
beforeEach(() => {
  platform.behaviour = (rogue, { reply }) => {
    latest = reply;
    wanted.add(reply);
    rogue.publish(reply);
  };
});
afterAll(() => platform.stop());

const rogue = () => platform.rogues.get('procedures')!;

/** The reply subjects of the gateway's next requests, as a service can guess them from the last one. */
async function nextQuestions(): Promise<string[]> {
  expectFailures(await platform.callRogues());
  const counter = latest.lastIndexOf('.') + 1;
  const last = Number.parseInt(latest.slice(counter), 36);
  return Array.from(
    { length: GUESSES },
    (_, ahead) => latest.slice(0, counter) + (last + ahead + 1).toString(36),
  );
}

describe('valid answers and refusals of a rogue with additional content affect only its own callers', () => {
  test.each(answersWithMore)('that %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) {
        expect(expectAnswer(outcome)).toMatchObject({ status: 200, text: '{}' });
      }
    });
  });

  test.each(junkRetryAfter)('that have the Retry-After %s', async (when) => {
    platform.behaviour = retryingAfter(when);
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) {
        expectRefusal(outcome, 'action_platform_unavailable');
      }
    });
  });
});

describe('long answers of a rogue affect only their own callers', () => {
  test.each(invalidBeginnings)('that ask for credits on %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => expectFailures(await platform.callRogues()));
  });

  test.each(brokenAnswers)('that %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) expect(outcome).toBe('broken off');
    });
  });

  test('that go on after their end', async () => {
    platform.behaviour = afterItsEnd;
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) {
        expect(expectAnswer(outcome)).toMatchObject({ status: 200, text: '{"result":1}' });
      }
    });
  });

  test.each(endlessAnswers)('of chunks without end %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      const callers: ReturnType<typeof platform.callRogues>[] = [];
      for (let caller = 0; caller < CALLERS; caller++) {
        const leaving = AbortSignal.timeout(STAY_MS);
        const expected = platform.received + platform.rogues.size;
        callers.push(platform.callRogues(leaving));
        // Requests of two callers in one turn of the event loop would travel in a batch, which the rogue cannot read.
        while (platform.received < expected && !leaving.aborted) await new Promise(setImmediate);
      }
      for (const [, outcome] of (await Promise.all(callers)).flat()) expect(outcome).toBe('broken off');
    });
  });
});

describe('a rogue cannot answer the requests to others', () => {
  test('by itself', async () => {
    const tried: string[] = [];
    await platform.unnoticed(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const subject of await nextQuestions()) {
          tried.push(subject);
          rogue().publish(subject, { headers: 'status: 200\r\n', body: '{"result":"forged"}' });
        }
        await rogue().flush();
      }
    });
    // The gateway may have sent a health check to a rogue meanwhile, which that may answer.
    const others = tried.filter((subject) => !wanted.has(subject));
    expect(others.length).toBeGreaterThan((ROUNDS * GUESSES) / 2);
    const refused = others.map((subject) => `-ERR 'Permissions Violation for Publish to "${subject}"'`);
    expect(rogue().refusals).toEqual(expect.arrayContaining(refused));
  });

  test.each([
    [knownMembers.subject, '{"workspace":"ws_1","users":[]}'],
    [grantedData.subject, '{"grantId":"rgr_1"}'],
    [grantedData.subject, 'no JSON'],
  ])('by having grants answer there: %s %s', async (subject, body) => {
    await platform.unnoticed(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const reply of await nextQuestions()) rogue().publish(subject, { reply, body });
        await rogue().flush();
      }
    });
  });
});

describe('requests of a rogue to grants affect no other caller', () => {
  const reply = `${inboxPrefix('procedures')}.R.0`;
  const asked = { reply, body: '{"grantId":"rgr_1"}' };

  test.each([
    ['no JSON', { ...asked, body: '[[[' }],
    ['no UTF-8', { ...asked, body: Buffer.of(0xff, 0xfe) }],
    ['2 MiB of JSON', { ...asked, body: `[${'[],'.repeat(699_000)}[]]` }],
    ['a header that cannot be one', { ...asked, headers: 'a b\u0000: x\r\n' }],
    ['two hundred thousand headers', { ...asked, headers: 'h:\r\n'.repeat(200_000) }],
    ['a malformed principal', { ...asked, headers: 'x-principal: [\r\n' }],
    ['an infinite timeout', { ...asked, headers: 'x-timeout-ms: 1e999\r\n' }],
    ['an answer at a subject almost too long', { ...asked, reply: `${reply}${'x'.repeat(3_900)}` }],
    ['an answer for an operator', { ...asked, reply: removeMember.subject }],
    ['no answer', { body: asked.body }],
  ])('with %s', async (_what, request) => {
    await platform.unnoticed(async () => {
      for (let time = 0; time < 20; time++) rogue().publish(grantedData.subject, request);
      await rogue().flush();
      expectFailures(await platform.callRogues());
    });
  });
});

test('a rogue reaches no other subject', async () => {
  const heard: string[] = [];
  await platform.unnoticed(async () => {
    const before = rogue().refusals.length;
    const others = [
      authorize.subject,
      operationSubject(pushRecord),
      operationSubject(createDraft),
      removeMember.subject,
      healthCall('grants').subject,
      'event.anything',
      '$SYS.REQ.SERVER.PING',
      '$JS.API.INFO',
      `${inboxPrefix('procedures')}.R.0`,
    ];
    for (const subject of others) rogue().publish(subject, { body: '{}' });
    const foreign = [
      '>',
      'op.>',
      `${inboxPrefix('gateway')}.>`,
      operationSubject(listVisibleFiles),
      '$SYS.>',
    ];
    for (const subject of foreign) await rogue().subscribe(subject, (message) => heard.push(message.subject));
    expect(rogue().refusals.length - before).toBe(others.length + foreign.length);
    expectFailures(await platform.callRogues());
  });
  expect(heard).toEqual([]);
});

// The last test, because its subscriptions stay.
test('a rogue that poses as many replicas receives only requests for its own service', async () => {
  await platform.unnoticed(async () => {
    const replica = () =>
      rogue().subscribe('op.procedures.>', ({ reply }) => rogue().publish(reply), 'procedures');
    await Promise.all(Array.from({ length: 200 }, replica));
    for (let call = 0; call < 5; call++) expectFailures(await platform.callRogues());
  });
});
