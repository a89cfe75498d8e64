import { TestIssuer } from '@action-platform/testing';
import { LocalPlatform, twoOf } from '../../../local-platform.ts';
import { say } from '../../../on-a-stack.ts';
import { checkAtMostOnce } from '../../checkers/at-most-once.ts';
import { checkAuthority } from '../../checkers/authority.ts';
import { checkFeed } from '../../checkers/feed.ts';
import { checkOrder } from '../../checkers/order.ts';
import { checkRefusals } from '../../checkers/refusals.ts';
import { checkTokens, ofTokens } from '../../checkers/tokens.ts';
import { killAtRandom, victims } from '../../faults/processes.ts';
import { rotateUnderKills } from '../../faults/rotate-under-kills.ts';
import { underLoad } from '../../run.ts';
import type { Fixture } from '../../workload/fixture.ts';
import { Job } from './job.ts';
import { Program } from './program.ts';
import { SignIns } from './sign-ins.ts';

const limits = {
  GATEWAY_UNAUTHENTICATED_PER_SECOND: '1000000',
  // Grants that have ended make room at the limit, and those of a removed Member are erased; the comparison needs their documents.
  MEMBER_GRANTS_MAX: '1000000',
  WORKSPACE_GRANTS_MAX: '1000000',
  ERASURE_PAUSE_MS: '3600000',
};

/** A platform that trusts the workloads of an issuer. */
class TrustingPlatform extends LocalPlatform {
  readonly issuer = new TestIssuer('https://cluster.test');

  constructor() {
    super(twoOf('gateway', 'grants', 'record-store'), limits);
  }

  override async start() {
    await this.issuer.start();
    const { issuer, jwksUrl } = this.issuer;
    this.environment.WORKLOAD_ISSUERS = JSON.stringify([{ issuer, jwks_url: jwksUrl }]);
    return await super.start();
  }

  override async remove(): Promise<void> {
    await super.remove();
    this.issuer.stop();
  }
}

/** Agents and jobs that sign in beside the clients of a suite. */
class SignedInClients {
  readonly #signIns: SignIns;
  readonly #platform: TrustingPlatform;
  readonly #all: readonly (Program | Job)[];
  readonly #running: Promise<unknown>;

  constructor(
    signIns: SignIns,
    platform: TrustingPlatform,
    counts: { programs: number; jobs: number; seed: number },
  ) {
    this.#signIns = signIns;
    this.#platform = platform;
    const { programs, jobs, seed } = counts;
    this.#all = [
      ...Array.from({ length: programs }, (_, number) => new Program(signIns, number, seed)),
      ...Array.from({ length: jobs }, () => new Job(signIns, platform.issuer)),
    ];
    this.#running = Promise.all(this.#all.map((one) => one.run()));
    // A failure is reported when they end.
    this.#running.catch(() => {});
  }

  get calls(): number {
    return this.#signIns.calls;
  }

  /** Ends the agents and jobs; each calls once more. @returns answers that no promise allows */
  async end(): Promise<readonly string[]> {
    this.#signIns.isStopping = true;
    await this.#running;
    await this.#platform.ready();
    await Promise.all(this.#all.map((one) => one.callLast()));
    const { history, problems } = this.#signIns;
    const ended = history.filter(({ hasEnded }) => hasEnded).length;
    const tokens = history.reduce((sum, grant) => sum + grant.tokens.length, 0);
    say(
      `${this.calls} calls with ${tokens} tokens of ${history.length} grants, of which ${ended} were ended`,
    );
    return problems;
  }

  evidence() {
    return { signedIn: this.#signIns.history };
  }

  stop(): void {
    this.#signIns.close();
  }
}

async function begin(fixture: Fixture, options: Readonly<Record<string, string>>): Promise<SignedInClients> {
  const input = { name: 'of agents', member_writes_enabled: true };
  const { collection } = await fixture.session.execute('record_store.create_collection', input);
  fixture.collections.push(collection.id);
  const counts = {
    programs: Number(options.programs),
    jobs: Number(options.jobs),
    seed: Number(options.seed),
  };
  const signIns = new SignIns(fixture, collection.id);
  return new SignedInClients(signIns, fixture.platform as TrustingPlatform, counts);
}

/** Calls with the tokens of agents and jobs, beside sessions, while every process is killed and keys are replaced. */
export const agents = underLoad<TrustingPlatform, SignedInClients>({
  options: {
    calls: ['50000', 'with access tokens'],
    rotations: ['2', 'of keys and database users; each kills every process'],
    programs: ['12', 'that Members connect'],
    jobs: ['4', 'without a secret'],
  },
  platform: () => new TrustingPlatform(),
  prepare: begin,
  workload: () => ({
    ...{ clients: 4, sharesNoKey: true },
    weights: { push: 2, replace: 4, patch: 4, get: 12, use: 4, revoke: 1, grant: 1 },
  }),
  cause: async ({ platform, witness, options }) => {
    for (let rotation = 0; rotation < Number(options.rotations); rotation++) {
      await platform.issuer.rotate();
      await rotateUnderKills(platform);
      platform.issuer.withdrawOldKeys();
      say(`rotation ${rotation + 1}: ${witness.calls} calls with tokens`);
    }
    const isEnough = () => witness.calls >= Number(options.calls);
    if (!isEnough()) await killAtRandom(platform, { among: victims, seed: Number(options.seed), isEnough });
    return await witness.end();
  },
  readers: 1,
  quietMs: 20_000,
  checkers: () => [
    checkAtMostOnce,
    checkOrder,
    checkAuthority,
    checkFeed,
    checkTokens,
    checkRefusals({ push: ofTokens }),
  ],
});
