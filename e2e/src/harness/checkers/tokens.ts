import type { Ending, Exchange, History, SignedIn, UsedToken } from '../history.ts';

/** How long after its first use a refresh token gives another pair, in milliseconds. */
const REUSE_MS = 30_000;
/** The lifetime of a code, in milliseconds. */
const CODE_MS = 60_000;

/** The refusals of a token that has ended. */
const ENDED = ['invalid_token', 'grant_revoked', 'grant_member_removed', 'grant_role_changed'] as const;
/** The refusals of a call with a token. */
export const ofTokens = ['token_expired', ...ENDED] as const;

/** When the first of these was acknowledged, and when the first began. */
const acknowledgedAt = (endings: readonly Ending[]) =>
  Math.min(...endings.map(({ endedAt = Number.POSITIVE_INFINITY }) => endedAt));
const begunAt = (endings: readonly Ending[]) => Math.min(...endings.map((ending) => ending.begunAt));

/**
 * No call with a token is accepted after the acknowledged end of the token, its grant or its Member, and none is refused before; no code gives
 * tokens twice, and no refresh token after its moment; every answered token is another one.
 */
export function* checkTokens({ signedIn }: Pick<History, 'signedIn'>): Generator<string> {
  const answered = new Set<string>();
  for (const grant of signedIn) {
    for (const token of grant.tokens) yield* checkCalls(grant, token);
    const shown = Map.groupBy(grant.exchanges, (exchange) => `${exchange.what} ${exchange.shown}`);
    for (const [name, exchanges] of shown) yield* checkExchanges(grant, name, exchanges);
    for (const token of grant.exchanges.flatMap(({ tokens = [] }) => tokens)) {
      if (answered.has(token)) yield `${grant.grant}: a token was answered twice`;
      answered.add(token);
    }
  }
}

function* checkCalls(
  { grant, endings }: SignedIn,
  { begunAt: issuedAt, lifetimeMs, endings: own, calls }: UsedToken,
): Generator<string> {
  const all = [...endings, ...own];
  const [acknowledged, begun] = [acknowledgedAt(all), begunAt(all)];
  for (const call of calls) {
    const { code } = call;
    if (code === 'ok' && call.begunAt > acknowledged)
      yield `${grant}: accepted ${(call.begunAt - acknowledged).toFixed()} ms after its end was acknowledged`;
    if ((ENDED as readonly string[]).includes(code) && call.endedAt < begun)
      yield `${grant}: ${code} before anything ended it`;
    if (code === 'token_expired' && call.endedAt < issuedAt + lifetimeMs)
      yield `${grant}: ${code} before its time`;
    if (!['ok', 'unknown', 'action_platform_unavailable', ...ofTokens].includes(code))
      yield `${grant}: refused with ${code}`;
  }
}

function* checkExchanges(
  { grant, endings }: SignedIn,
  name: string,
  exchanges: readonly Exchange[],
): Generator<string> {
  const given = exchanges.filter(({ answer }) => answer === 'tokens');
  const isCode = exchanges[0]!.what === 'code';
  if (isCode && given.length > 1) yield `${grant}: ${name} was answered ${given.length} times`;
  const firstUsedAt = Math.min(...given.map(({ endedAt }) => endedAt));
  const late = given.filter((each) => !isCode && each.begunAt > firstUsedAt + REUSE_MS);
  if (late.length > 0) yield `${grant}: ${name} was answered ${late.length} times after its moment`;
  const firstBegunAt = Math.min(...exchanges.map((each) => each.begunAt));
  const [ended, acknowledged] = [begunAt(endings), acknowledgedAt(endings)];
  for (const exchange of exchanges) {
    const { answer, begunAt: askedAt, endedAt } = exchange;
    if (answer === 'tokens' && askedAt > acknowledged)
      yield `${grant}: ${name} was answered after the end was acknowledged`;
    const isSpent = isCode && exchanges.some((other) => other !== exchange && other.begunAt < endedAt);
    const isLate = endedAt - firstBegunAt > (isCode ? CODE_MS : REUSE_MS);
    if (answer === 'refused' && !isSpent && !isLate && endedAt < ended)
      yield `${grant}: ${name} was refused before anything ended it`;
  }
}
