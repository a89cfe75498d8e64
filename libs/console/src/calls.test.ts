import { afterEach, expect, jest, test } from '@jest/globals';

/** A module whose types take the library of a browser. */
const moduleOf = (name: string) => import(`../browser/${name}.js`);
const { call, stream, write } = await moduleOf('platform/api');
const { follow } = await moduleOf('platform/events');
const { Page } = await moduleOf('elements/page');

afterEach(() => {
  jest.restoreAllMocks();
});

/** Answers the calls of the console, one after the other; returns their addresses. */
function answer(...answers: Response[]): string[] {
  const asked: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    asked.push(String(address));
    return answers.shift()!;
  });
  return asked;
}
const proxied = () => new Response('<html>Bad gateway</html>', { status: 502 });

test('a call that the platform may do a second time is sent once, and its failure promises no repetition', async () => {
  const asked = answer(proxied());
  const made = call(write('POST', '/api/v1/agent-authorizations', {}), { isRepeatable: false });
  await expect(made).rejects.toMatchObject({ code: 'unknown_outcome', isAnswer: false });
  expect(asked).toHaveLength(1);
});

test('the page of a proxy in the place of a stream is no answer', async () => {
  answer(proxied());
  await expect(stream(write('GET', '/api/v1/events'))).rejects.toMatchObject({ code: 'no_answer' });
});

test('the feed goes on after its token expired, and begins at the latest event after its cursor expired', async () => {
  const refusal = (code: string) => JSON.stringify({ error: { code, message: '.', next: '.' } });
  const asked = answer(
    new Response(`id: 1\ndata: {"type":"a"}\n\nevent: refused\ndata: ${refusal('token_expired')}\n\n`),
    new Response(refusal('event_cursor_expired'), { status: 400 }),
    new Response('id: 9\ndata: {"type":"b"}\n\n'),
  );
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((resume: () => void) => resume()) as never);
  const end = new AbortController();
  const types: string[] = [];
  for await (const type of follow(end.signal)) {
    types.push(type);
    if (type === 'b') break;
  }
  expect(types).toEqual(['a', 'approval.missed', 'b']);
  expect(asked.map((address) => new URL(address, 'http://a').searchParams.get('cursor'))).toEqual([
    'latest',
    '1',
    'latest',
  ]);
});

test.each([
  ['has another version', 2, false, true, 'refused'],
  ['has what was sent', 2, true, true, undefined],
  ['is as it was shown', 1, false, false, undefined],
])(
  'after a refusal a form closes or stays when the platform %s',
  async (_what, next, saved, closes, shown) => {
    let version = 1;
    const page = { failure: undefined };
    const change = {
      versionOf: () => version,
      isSaved: () => saved,
      renew: async () => {
        version = next;
      },
    };
    expect(await Page.prototype.overtaken.call(page as never, 'refused', change)).toBe(closes);
    expect(page.failure).toBe(shown);
  },
);
