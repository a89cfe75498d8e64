import { expect, test } from '@jest/globals';
import { signInOfAgents } from '../../test/agents.ts';

const PER_SECOND = 50;
/** The cost of a registration, in tokens of unknown signatures. */
const COST = 2;
const REGISTRATIONS = 3_000;
const AT_ONCE = 100;
/** Fewer than the access tokens that a grant may have. */
const REFRESHES = 300;

const agents = signInOfAgents({ GATEWAY_UNAUTHENTICATED_PER_SECOND: String(PER_SECOND) });

/** How many documents of grants are stored. */
async function storedDocuments(): Promise<number> {
  const { db } = await agents.harness.platform.database('grants');
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const counts = collections.map(({ name }) => db.collection(name).countDocuments());
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

const register = async (name: string) => {
  const response = await fetch(`${agents.urls[0]}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: ['https://agent.example.com/'] }),
  });
  const answer = (await response.json()) as { readonly error?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), answer };
};

test('registrations beyond the rate of the unauthenticated get 503, store nothing and hold up no agent that the gateway knows', async () => {
  const { tokens, refresh } = await agents.signedIn();
  // A gateway knows the agent from a call before.
  expect(await agents.outcome(tokens.access_token)).toBe('ok');
  const before = await storedDocuments();
  const begun = performance.now();
  const answers: Awaited<ReturnType<typeof register>>[] = [];
  const refreshed: Awaited<ReturnType<typeof refresh>>[] = [];
  const called: string[] = [];
  const client = async (number: number) => {
    for (let n = number; n < REGISTRATIONS; n += AT_ONCE) answers.push(await register(`Program ${n}`));
  };
  const agent = async () => {
    for (let { refresh_token } = tokens; answers.length < REGISTRATIONS && refreshed.length < REFRESHES; ) {
      const next = await refresh(refresh_token);
      refreshed.push(next);
      if (next.status === 200) ({ refresh_token } = next.body);
      called.push(await agents.outcome(tokens.access_token));
    }
  };
  await Promise.all([...Array.from({ length: AT_ONCE }, (_, number) => client(number)), agent()]);
  const seconds = (performance.now() - begun) / 1000;

  const made = answers.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(made.length).toBeLessThanOrEqual(Math.ceil(((1 + seconds) * PER_SECOND) / COST));
  for (const { status, retryAfter, answer } of answers.filter((each) => each.status !== 201))
    expect([status, retryAfter, answer.error]).toEqual([503, '1', 'temporarily_unavailable']);
  expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(called)).toEqual(new Set(['ok']));
  // Each refresh stores a pair of tokens.
  expect((await storedDocuments()) - before).toBe(2 * refreshed.length);
});
