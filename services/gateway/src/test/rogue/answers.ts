import { busHeaders } from '@action-platform/contracts';
import { type Behaviour, SHORT_DEADLINE_MS } from './rogue-platform.ts';

const { status, retryAfter, replayed, more, chunk } = busHeaders;

/** The lines of headers in the NATS protocol. */
export const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Answers every request with the same message. */
export const answering = (headers: string, body: string | Uint8Array = '{}'): Behaviour => {
  return (rogue, { reply }) => rogue.publish(reply, { headers, body });
};

const envelope = (error: object) => JSON.stringify({ error });
const refusal = (code: string) =>
  envelope({ code, message: 'm', recoverable: true, next: 'n', requestId: 'r', docs_url: 'd' });
const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}:\r\n`).join('');

/** Malformed answers, with which the call fails. */
export const malformedAnswers: readonly (readonly [what: string, behaviour: Behaviour])[] = [
  ['never come', () => {}],
  [
    'come too late',
    (rogue, request) => {
      setTimeout(answering(lines({ [status]: '200' })), SHORT_DEADLINE_MS + 200, rogue, request);
    },
  ],
  ['are no message of ours', (rogue, { reply }) => rogue.publish(reply, { body: '{}' })],
  ...['', '0', '99', '100', '204', '304', '600', '200abc', '1e9', '-200', '2e2', '0xc8', 'Infinity'].map(
    (value) => [`have the status ${value}`, answering(lines({ [status]: value }))] as const,
  ),
  ...['500', '418', '405', '503'].map(
    (value) =>
      [
        `are a failure of the status ${value} without a reason`,
        answering(lines({ [status]: value })),
      ] as const,
  ),
  ['have no text', answering(lines({ [status]: '200' }), '')],
  ['are a refusal in no JSON', answering(lines({ [status]: '400' }), '<h1>no</h1>')],
  ['are a refusal that is not UTF-8', answering(lines({ [status]: '400' }), Buffer.of(0xff, 0xfe))],
  ['are a refusal with an unknown code', answering(lines({ [status]: '400' }), refusal('no_such_code'))],
  ['are a refusal with the code __proto__', answering(lines({ [status]: '400' }), refusal('__proto__'))],
  [
    'are a refusal with the status of another',
    answering(lines({ [status]: '400' }), refusal('invalid_token')),
  ],
  [
    'are a refusal whose message is no text',
    answering(lines({ [status]: '400' }), envelope({ code: 'invalid_request', message: { length: 1e9 } })),
  ],
  [
    'are a refusal of 2 MiB',
    answering(
      lines({ [status]: '400' }),
      envelope({ code: 'invalid_request', message: 'x'.repeat(2 ** 21) }),
    ),
  ],
  [
    'are a refusal in chunks',
    (rogue, { reply }) =>
      rogue.publish(reply, {
        reply: `_INBOX_procedures.${'A'.repeat(22)}.0`,
        headers: lines({ [status]: '400', [more]: 'true', [chunk]: '0' }),
        body: refusal('invalid_request'),
      }),
  ],
  ['have a header without a name', answering(`${lines({ [status]: '200' })}: x\r\n x: y\r\n`)],
  ['have a header whose name cannot be one', answering(`${lines({ [status]: '200' })}a b\u0000: x\r\n`)],
  ['have two hundred thousand headers', answering(lines({ [status]: '200' }) + many(200_000))],
  ['have a header of 2 MiB', answering(lines({ [status]: '200', x: 'x'.repeat(2 ** 21) }))],
];

/** Whole answers with parts that the gateway must not pass on. */
export const answersWithMore: readonly (readonly [what: string, behaviour: Behaviour])[] = [
  ['come twice', twice(2)],
  ['arrive ten thousand times', twice(10_000)],
  [
    'set a cookie and more',
    answering(lines({ [status]: '200', 'Set-Cookie': 'a=b', Location: '/', Server: 'x' })),
  ],
  ...['yes', 'false', '"true\\r\\nSet-Cookie: a=b"', 'é'].map(
    (value) =>
      [
        `say that they are replayed: ${value}`,
        answering(lines({ [status]: '200', [replayed]: value })),
      ] as const,
  ),
];

/** Invalid values of Retry-After. */
export const junkRetryAfter = [
  'forever',
  '-1',
  '1e400',
  '0x10',
  '99999999999999999999',
  '"1\\r\\nSet-Cookie: a=b"',
  'é',
];

/** A refusal with this Retry-After. */
export const retryingAfter = (when: string): Behaviour =>
  answering(lines({ [status]: '503', [retryAfter]: when }), refusal('action_platform_unavailable'));

function twice(times: number): Behaviour {
  return (rogue, request) => {
    const answer = answering(lines({ [status]: '200' }));
    for (let time = 0; time < times; time++) answer(rogue, request);
  };
}
