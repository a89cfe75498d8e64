import {
  busHeaders,
  inboxPrefix,
  operationSubject,
  pushRecord,
  removeMember,
} from '@action-platform/contracts';
import type { Heard, Rogue } from '@action-platform/testing';
import { lines } from './answers.ts';
import type { Behaviour } from './rogue-platform.ts';

const { status, chunk, more } = busHeaders;

/** How a rogue continues a long answer: its reply to the credit of this number, the first being 1. */
type GoOn = (
  send: (position: string, isLast?: boolean, body?: string | Uint8Array) => void,
  n: number,
) => void;

let opened = 0;

/** An unused subject in the inbox of the service. */
const freshInbox = (service: string) => `_INBOX_${service}.${'R'.repeat(22)}.${(opened++).toString(36)}`;

const serviceOf = ({ subject }: Heard) => subject.split('.')[1]!;

/** The first chunk of an answer, which announces more against credits to `credits`. */
function begin(
  rogue: Rogue,
  { reply }: Heard,
  credits: string,
  body: string | Uint8Array = '{"result":',
): void {
  rogue.publish(reply, {
    reply: credits,
    headers: lines({ [status]: '200', [chunk]: '0', [more]: 'true' }),
    body,
  });
}

/** A long answer whose further chunks `goOn` sends. */
export function goingOn(goOn: GoOn, first?: string | Uint8Array): Behaviour {
  return async (rogue, request) => {
    const inbox = freshInbox(serviceOf(request));
    let taken = 0;
    await rogue.subscribe(`${inbox}.>`, hear);
    await rogue.subscribe(inbox, hear);
    begin(rogue, request, inbox, first);

    function hear({ reply }: Heard): void {
      // A cancellation has no answer.
      if (reply === '') return;
      const n = ++taken;
      const send = (position: string, isLast = false, body: string | Uint8Array = '1') =>
        rogue.publish(reply, {
          reply: `${inbox}.${n}`,
          headers: lines({ [chunk]: position, ...(isLast ? {} : { [more]: 'true' }) }),
          body,
        });
      goOn(send, n);
    }
  };
}

/** A first chunk that requests credit on a subject that the rogue may not use. */
function elsewhere(credits: (request: Heard) => string): Behaviour {
  return (rogue, request) => begin(rogue, request, credits(request));
}

/** Long answers with an invalid first chunk. */
export const invalidBeginnings: readonly (readonly [what: string, behaviour: Behaviour])[] = [
  ["an operator's subject", elsewhere(() => removeMember.subject)],
  ['an operation', elsewhere(() => operationSubject(pushRecord))],
  ['the inbox of the gateway', elsewhere(({ reply }) => reply)],
  ['the inbox of grants', elsewhere(() => `${inboxPrefix('grants')}.x.0`)],
  ['the NATS server itself', elsewhere(() => '$SYS.REQ.SERVER.PING')],
  ['JetStream', elsewhere(() => '$JS.API.INFO')],
  ['a wildcard', elsewhere((request) => `_INBOX_${serviceOf(request)}.>`)],
  [
    'a subject almost longer than the NATS server takes',
    elsewhere((request) => `_INBOX_${serviceOf(request)}.${'x'.repeat(3_940)}`),
  ],
  ['nowhere', elsewhere(() => '')],
];

/** Long answers with a missing or invalid chunk. */
export const brokenAnswers: readonly (readonly [what: string, behaviour: Behaviour])[] = [
  ['leave a chunk out', goingOn((send, n) => send(String(n === 1 ? 1 : n + 1), n === 4))],
  ['come in another order', goingOn((send, n) => send(String(5 - n), n === 4))],
  ['repeat a chunk', goingOn((send, n) => send(String(Math.max(1, n - 1))))],
  ['have chunks without a position', goingOn((send) => send(''))],
  ['count to 1e999', goingOn((send) => send('1e999'))],
  ['count in words', goingOn((send) => send('one'))],
  [
    'send more than the credits permit',
    goingOn((send, n) => {
      for (let again = 0; again < 3; again++) send(String(n + again), false, 'x'.repeat(1_000_000));
    }),
  ],
];

/** Long answers without an end. */
export const endlessAnswers: readonly (readonly [what: string, behaviour: Behaviour])[] = [
  ['of 1 byte', goingOn((send, n) => send(String(n)))],
  ['of nothing', goingOn((send, n) => send(String(n), false, ''))],
  ['of 256 KiB', goingOn((send, n) => send(String(n), false, Buffer.alloc(2 ** 18, 'x')))],
  ['of 2 MiB', goingOn((send, n) => send(String(n), false, Buffer.alloc(2 ** 21, 'x')))],
  ['that do not come', goingOn(() => {})],
  ['of which the second does not come', goingOn((send, n) => n === 1 && send('1'))],
  [
    'whose credits go to a subject that was used before',
    elsewhere((request) => `_INBOX_${serviceOf(request)}.R.same`),
  ],
];

/** A whole long answer, with further chunks after its end. */
export const afterItsEnd: Behaviour = goingOn((send, n) => {
  send(String(n), n === 2, n === 2 ? '}' : '1');
  if (n === 2) for (let past = 3; past < 6; past++) send(String(past), true, 'x');
});
