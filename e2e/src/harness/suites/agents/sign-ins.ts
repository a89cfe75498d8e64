import { setTimeout as delay } from 'node:timers/promises';
import { postForm } from '@action-platform/testing/agents';
import type { LocalPlatform } from '../../../local-platform.ts';
import type { Action, Ending, Exchange, Outcome, SignedIn, TokenCall, UsedToken } from '../../history.ts';
import type { Fixture } from '../../workload/fixture.ts';
import { payloadOf, requestOf } from '../../workload/requests.ts';
import { REPEAT_MS, Session } from '../../workload/session.ts';

/** Every so many calls of a grant that may write is a push. */
const PUSH_EVERY = 20;
/** The client of their calls in a history. */
const CLIENT = -2;
/** How long a request may fail before the run does, in milliseconds. */
const GIVE_UP_MS = 180_000;

/** An access token in use. */
export class AccessToken implements UsedToken {
  readonly secret: string;
  readonly begunAt: number;
  readonly lifetimeMs: number;
  readonly endings: Ending[] = [];
  readonly calls: TokenCall[] = [];

  constructor({ access_token, expires_in }: { access_token: string; expires_in: number }, begunAt: number) {
    this.secret = access_token;
    this.begunAt = begunAt;
    this.lifetimeMs = expires_in * 1_000;
  }
}

/** A grant in use. */
export class GrantInUse implements SignedIn {
  readonly grant: string;
  /** Whether its calls also push Records. */
  readonly writes: boolean;
  readonly endings: Ending[] = [];
  readonly exchanges: Exchange[] = [];
  readonly tokens: AccessToken[] = [];

  constructor(grant: string, writes: boolean) {
    this.grant = grant;
    this.writes = writes;
  }

  /** Whether an end of it was acknowledged. */
  get hasEnded(): boolean {
    return this.endings.some(({ endedAt }) => endedAt !== undefined);
  }
}

/** The sign-ins of agents and jobs beside the clients of a fixture, and what they share. */
export class SignIns {
  readonly fixture: Fixture;
  readonly platform: LocalPlatform;
  /** A Collection in which Members may write. */
  readonly collection: string;
  readonly history: GrantInUse[] = [];
  /** Answers that no promise allows. */
  readonly problems: string[] = [];
  readonly #sessions: readonly Session[];
  calls = 0;
  isStopping = false;
  #next = 0;

  constructor(fixture: Fixture, collection: string) {
    this.fixture = fixture;
    this.platform = fixture.platform as LocalPlatform;
    this.collection = collection;
    const { token } = fixture.owners[0]!;
    this.#sessions = this.platform.gateways.map((url) => new Session(url, token, { connections: 64 }));
  }

  /** The first gateway, whose address the platform is known by. */
  get publicUrl(): string {
    return this.platform.gateways[0]!;
  }

  /** The address of the next gateway. */
  get url(): string {
    return this.platform.gateways[this.#next++ % this.platform.gateways.length]!;
  }

  /** The Owner at the next gateway. */
  get owner(): Session {
    return this.#sessions[this.#next++ % this.#sessions.length]!;
  }

  /** Adds a grant to the history. */
  begin(grant: string, writes: boolean): GrantInUse {
    const begun = new GrantInUse(grant, writes);
    this.history.push(begun);
    return begun;
  }

  /** Makes one call with a token of a grant. */
  async call({ writes }: GrantInUse, token: AccessToken): Promise<void> {
    const { fixture, collection } = this;
    const number = this.calls++;
    const isPush = writes && number % PUSH_EVERY === 0;
    const key = `agent-${number}`;
    const bytes = JSON.stringify(payloadOf(key)).length;
    const record = fixture.records[number % fixture.records.length]!;
    const action: Extract<Action, { what: 'push' | 'get' }> = isPush
      ? { what: 'push', collection, key, bytes }
      : { what: 'get', record };
    const begunAt = performance.now();
    const asked = { ...requestOf(action, fixture), token: token.secret };
    const { outcome, attempts } = await this.owner.ask(asked, true);
    const endedAt = performance.now();
    const code = codeOf(outcome);
    token.calls.push({ begunAt, endedAt, code });
    if (isPush) fixture.entries.push({ client: CLIENT, action, begunAt, endedAt, outcome, attempts });
    if (code === 'unknown' || code === 'action_platform_unavailable') await delay(REPEAT_MS);
  }

  /** Shows a form at the token endpoint; undefined without an answer, or when the platform was unavailable. */
  async ask(endpoint: 'token' | 'revoke', form: Readonly<Record<string, string>>, url = this.url) {
    const answer = await postForm(url, endpoint, form).catch(() => undefined);
    return answer === undefined || answer.status >= 500 ? undefined : answer;
  }

  /**
   * Has something end a grant or a token.
   *
   * @param end resolves once it was acknowledged.
   */
  async end(endings: Ending[], end: () => Promise<unknown>): Promise<void> {
    const ending: { begunAt: number; endedAt?: number } = { begunAt: performance.now() };
    endings.push(ending);
    await end();
    ending.endedAt = performance.now();
  }

  /** Revokes a token at its endpoint, which acknowledges it. */
  async revoke(form: Readonly<Record<string, string>>): Promise<void> {
    const { status, json } = await this.until(() => this.ask('revoke', form));
    if (status !== 200) this.problems.push(`a revocation was refused: ${JSON.stringify(json)}`);
  }

  /** Repeats a step until it has a result and does not reject. @throws the last failure when it goes on for long */
  async until<Result>(step: () => Promise<Result | undefined>): Promise<Result> {
    for (const begun = performance.now(); ; await delay(REPEAT_MS)) {
      const isLast = performance.now() - begun > GIVE_UP_MS;
      try {
        const result = await step();
        if (result !== undefined) return result;
        if (isLast) throw new Error('a request of an agent had no answer for minutes');
      } catch (error) {
        if (isLast) throw error;
      }
    }
  }

  close(): void {
    for (const session of this.#sessions) session.close();
  }
}

function codeOf(outcome: Outcome): string {
  if (outcome.is === 'done') return 'ok';
  return outcome.is === 'refused' ? outcome.code : outcome.is;
}
