import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '@action-platform/contracts/authority';
import { addMember, removeMember, setMemberRole } from '@action-platform/contracts/calls';
import { connectAgent, registerAgent } from '@action-platform/testing/agents';
import fc from 'fast-check';
import type { Exchange } from '../../history.ts';
import { REPEAT_MS } from '../../workload/session.ts';
import { AccessToken, type GrantInUse, type SignIns } from './sign-ins.ts';

const OPERATIONS = ['record_store.get_record', 'record_store.push_record'];
/** How many clients call with a token at the same time, and how many more calls each makes after its end. */
const CALLERS = 2;
const CALLS_AFTER_END = 3;
const EQUAL = 64;
/** How long after its first use a refresh token gives another pair, in milliseconds; a later use ends its grant. */
const REUSE_MS = 30_000;
const PLANS = 500;
/** After so many grants a new Member connects the program: each changes its Member twice at most, whose document keeps the last 20 changes. */
const GRANTS_OF_A_MEMBER = 9;

/** What a program does with one sign-in. */
const plan = fc.record({
  /** How often its code and its refresh tokens are shown at once. */
  codes: fc.constantFrom(...Array(9).fill(1), EQUAL),
  refreshes: fc.array(fc.constantFrom(1, 1, 1, 2, EQUAL), { minLength: 1, maxLength: 4 }),
  restMs: fc.integer({ min: 200, max: 3_000 }),
  end: fc.constantFrom('owner', 'owner', 'program', 'program', 'member', 'role', 'code', 'reuse'),
  keepsAccess: fc.boolean(),
});
type Plan = Parameters<Parameters<typeof plan.map>[0]>[0];
type Form = Readonly<Record<string, string>>;

/** A program that Members of its own connect, again and again. */
export class Program {
  readonly #signIns: SignIns;
  readonly #name: string;
  readonly #plans: readonly Plan[];
  #user = '';
  #role: Role = 'member';
  #shown = 0;
  /** The grant that nothing has ended, with the form that refreshes its token. */
  #last: { readonly grant: GrantInUse; readonly form: Form } | undefined;

  constructor(signIns: SignIns, number: number, seed: number) {
    this.#signIns = signIns;
    this.#name = `agent-${number}`;
    this.#plans = fc.sample(plan, { seed: seed + number, numRuns: PLANS });
  }

  async run(): Promise<void> {
    for (let used = 0; !this.#signIns.isStopping; used++) {
      if (used % GRANTS_OF_A_MEMBER === 0) {
        // A Workspace has a limit of Owners.
        if (this.#role === 'owner') await this.#operate(setMemberRole, { role: this.#otherRole() });
        this.#user = `${this.#name}-${used}`;
        await this.#operate(addMember, { role: this.#role });
      }
      await this.#useOneGrant(this.#plans[used % PLANS]!);
    }
  }

  /** Refreshes and calls with the grant that nothing ended. */
  async callLast(): Promise<void> {
    if (this.#last === undefined) return;
    const { grant, form } = this.#last;
    const token = await this.#signIns.until(() => this.#show(grant, 'refresh', form).then(firstOf));
    if (token !== 'refused') await this.#signIns.call(grant, token.access);
  }

  async #useOneGrant({ codes, refreshes, restMs, end, keepsAccess }: Plan): Promise<void> {
    const { grant, form } = await this.#connect();
    const first = await this.#exchange(grant, form, codes);
    if (first === undefined) return;
    let { access, refresh } = first;
    const former: Form[] = [];
    const usedAt: number[] = [];
    const callers = Array.from({ length: CALLERS }, async (_, number) => {
      const own = access;
      const call = () => this.#signIns.call(grant, keepsAccess && number === 0 ? own : access);
      while (!grant.hasEnded && !this.#signIns.isStopping) await call();
      if (grant.hasEnded) for (let n = 0; n < CALLS_AFTER_END; n++) await call();
    });
    for (const atOnce of grant.hasEnded ? [] : refreshes) {
      await delay(restMs);
      if (this.#signIns.isStopping) break;
      former.push(refresh);
      const next = await this.#refresh(grant, refresh, atOnce);
      usedAt.push(performance.now());
      if (next === undefined) break;
      ({ access, refresh } = next);
    }
    this.#last = grant.hasEnded ? undefined : { grant, form: refresh };
    if (!grant.hasEnded && !this.#signIns.isStopping) {
      this.#last = undefined;
      if (end === 'reuse') await delay(Math.max(0, usedAt[0]! + REUSE_MS + 1_000 - performance.now()));
      await this.#end(end, { grant, form, refresh, access, former: former[0]! });
    }
    await Promise.all(callers);
  }

  /** Has its Member allow it two operations. */
  async #connect() {
    const { fixture, platform, collection, publicUrl } = this.#signIns;
    const connected = await this.#signIns.until(async () => {
      const clientId = await registerAgent(this.#signIns.url, { client_name: this.#name });
      const fresh = await platform.operator.freshToken(fixture.workspace, this.#user);
      const data = { collectionIds: [fixture.collections[0], collection] };
      return await connectAgent(this.#signIns.url, fresh, {
        ...{ publicUrl, clientId, operations: OPERATIONS, data },
      });
    });
    return { grant: this.#signIns.begin(connected.grant.id, true), form: connected.form };
  }

  /** Exchanges its code, at once at both gateways; a second showing ends the grant. */
  async #exchange(grant: GrantInUse, form: Form, atOnce: number) {
    const begunAt = performance.now();
    const { gateways } = this.#signIns.platform;
    const show = (number: number) => this.#show(grant, 'code', form, 0, gateways[number % gateways.length]);
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, number) => show(number)));
    // An answer was lost, or may have been.
    for (; atOnce === 1 && firstOf(answers) === undefined; await delay(REPEAT_MS))
      answers.push(await show(answers.length));
    const isTwice = answers.length > 1;
    if (isTwice) {
      const refusals = grant.exchanges.filter(({ answer }) => answer === 'refused');
      const endedAt = Math.min(...refusals.map((refusal) => refusal.endedAt));
      grant.endings.push({ begunAt, ...(refusals.length > 0 && { endedAt }) });
    }
    const token = firstOf(answers);
    return token === 'refused' ? undefined : token;
  }

  /** Shows a refresh token, at once at both gateways, until it has another one; undefined when the grant has ended instead. */
  async #refresh(grant: GrantInUse, form: Form, atOnce: number) {
    const begunAt = performance.now();
    const number = ++this.#shown;
    const { gateways } = this.#signIns.platform;
    const token = await this.#signIns.until(async () => {
      const shown = Array.from({ length: atOnce }, (_, index) =>
        this.#show(grant, 'refresh', form, number, gateways[index % gateways.length]),
      );
      const answers = await Promise.all(shown);
      // Its first answer was lost, and the platform away for longer than the moment of a refresh token.
      const isLate = performance.now() - begunAt > REUSE_MS;
      if (answers.includes('refused') && isLate) grant.endings.push({ begunAt, endedAt: performance.now() });
      return firstOf(answers);
    });
    return token === 'refused' ? undefined : token;
  }

  async #show(
    grant: GrantInUse,
    what: Exchange['what'],
    form: Form,
    number = ++this.#shown,
    url = this.#signIns.url,
  ) {
    const begunAt = performance.now();
    const found = await this.#signIns.ask('token', form, url);
    const exchange = { what, shown: number, begunAt, endedAt: performance.now() };
    if (found?.status !== 200) {
      const answer = found === undefined ? 'unknown' : 'refused';
      grant.exchanges.push({ ...exchange, answer });
      if (answer === 'refused' && found?.json.error !== 'invalid_grant')
        this.#signIns.problems.push(
          `${grant.grant}: ${what} was refused with ${JSON.stringify(found?.json)}`,
        );
      return answer;
    }
    const { access_token, refresh_token } = found.json;
    grant.exchanges.push({ ...exchange, answer: 'tokens', tokens: [access_token, refresh_token] });
    const access = new AccessToken(found.json, begunAt);
    grant.tokens.push(access);
    const refresh: Form = { grant_type: 'refresh_token', refresh_token, client_id: form.client_id! };
    return { access, refresh };
  }

  async #end(
    end: Plan['end'],
    used: { grant: GrantInUse; form: Form; refresh: Form; access: AccessToken; former: Form },
  ): Promise<void> {
    const { grant, form, refresh, access, former } = used;
    const again = (shown: Form, what: Exchange['what'], number: number) =>
      this.#signIns.until(async () => firstOf([await this.#show(grant, what, shown, number)]));
    const ways: Readonly<Record<Plan['end'], () => Promise<unknown>>> = {
      owner: () => this.#signIns.owner.json('DELETE', `/api/v1/agent-grants/${grant.grant}`),
      program: () => {
        const token = this.#shown % 2 === 0 ? access.secret : refresh.refresh_token!;
        return this.#signIns.revoke({ token, client_id: form.client_id! });
      },
      member: () => this.#operate(removeMember),
      role: () => this.#operate(setMemberRole, { role: this.#otherRole() }),
      code: () => again(form, 'code', 0),
      reuse: () => again(former, 'refresh', this.#numberOf(grant)),
    };
    await this.#signIns.end(grant.endings, ways[end]);
    if (end === 'member') await this.#operate(addMember, { role: this.#role });
  }

  /** The number of the refresh token that a grant showed first. */
  #numberOf({ exchanges }: GrantInUse): number {
    return exchanges.find(({ what }) => what === 'refresh')!.shown;
  }

  #otherRole(): Role {
    this.#role = this.#role === 'owner' ? 'member' : 'owner';
    return this.#role;
  }

  /** Has an operator do something with its Member, again until it is acknowledged. */
  async #operate(
    call: typeof addMember | typeof removeMember | typeof setMemberRole,
    more: { readonly role?: Role } = {},
  ): Promise<void> {
    const { platform, fixture } = this.#signIns;
    const member = { workspace: fixture.workspace, user: this.#user, ...more };
    await this.#signIns.until(() => platform.operate(call as typeof setMemberRole, member as never));
  }
}

/** The tokens among answers, else `refused`; undefined while no answer says. */
function firstOf<Answer extends object | 'refused' | 'unknown'>(answers: Answer | readonly Answer[]) {
  const all = [answers].flat() as (Answer & (object | string))[];
  const tokens = all.find((answer) => typeof answer === 'object') as Extract<Answer, object> | undefined;
  return tokens ?? (all.includes('refused' as never) ? ('refused' as const) : undefined);
}
