import type { BusAnswer, BusRequest } from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import { authorize, discover, findCustomOperation } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import { memberRoutes } from '@action-platform/contracts/resources';
import { anOwner, type TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { GatewayHarness } from './harness.ts';

/** A request that a stand-in received. */
interface Received {
  readonly subject: string;
  readonly body: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly tracestate: string;
  readonly baggage: string;
}

/** The answer of a stand-in. */
type Reply = BusAnswer | ActionError;

/** Services with answers set by a test, which record their requests. */
class StandIns {
  /** Every request, in order. */
  readonly received: Received[] = [];
  /** The answers by subject, by default an empty listing; an array holds one answer for each request. */
  readonly answers = new Map<string, Reply | Reply[] | ((request: BusRequest) => Promise<Reply>)>();

  async start(platform: TestPlatform, operations: readonly Operation[]): Promise<void> {
    const ofGrants = memberRoutes.filter(({ service }) => service === authorize.service);
    for (const { service, subject } of [
      ...ofGrants,
      authorize,
      discover,
      findCustomOperation,
      ...operations,
    ]) {
      const bus = await platform.connect(service);
      bus.serve(subject, service, async (request) => {
        this.received.push({
          subject,
          body: Buffer.from(request.body).toString(),
          requestId: request.header(busHeaders.requestId),
          traceparent: request.header(busHeaders.traceparent),
          tracestate: request.header('tracestate'),
          baggage: request.header('baggage'),
        });
        const set = this.answers.get(subject);
        const next = typeof set === 'function' ? await set(request) : Array.isArray(set) ? set.shift() : set;
        if (!(next instanceof ActionError)) return next ?? json({ operations: [] });
        return json(next.toEnvelope(request.header(busHeaders.requestId)), next.status);
      });
      await bus.flush();
    }
  }

  /** Forgets everything. */
  reset(): void {
    this.received.length = 0;
    this.answers.clear();
  }

  /**
   * Holds the answers on a subject back. `asked` resolves with its first request and `left` when the gateway cancels one; `release`
   * lets all answers go.
   */
  hold(subject: string) {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.answers.set(subject, async ({ signal }) => {
      signal.addEventListener('abort', () => left.resolve());
      asked.resolve();
      await released.promise;
      return json({ result: {} });
    });
    return { asked: asked.promise, left: left.promise, release: () => released.resolve() };
  }

  /** How many calls reached a subject; an unanswered read is sent again. */
  calls(subject: string): number {
    return new Set(this.asked(subject).map(({ requestId }) => requestId)).size;
  }

  /** The requests on a subject. */
  asked(subject: string): Received[] {
    return this.received.filter((request) => request.subject === subject);
  }
}

/** A gateway, and the session token of a caller. */
class GatewayOfCaller extends GatewayHarness {
  token = '';
  /** The process of a gateway that does not run in the test's. */
  process?: TestProcess;
}

/**
 * Starts a gateway with stand-ins before the tests of a file. At the beginning of each test grants allows every call.
 *
 * @param operations the operations that a stand-in serves.
 * @param environment further variables of the gateway.
 * @param run a gateway that offers others, or that it is a process.
 */
export function gatewayWithStandIns(
  operations: readonly Operation[],
  environment: Readonly<Record<string, string>> = {},
  run?: Parameters<GatewayHarness['start']>[1] | 'as a process',
) {
  const [harness, standIns] = [new GatewayOfCaller(), new StandIns()];
  beforeAll(async () => {
    await harness.issuer.start();
    if (run === 'as a process') harness.process = await harness.spawn(environment);
    else await harness.startAnother(environment, run);
    await standIns.start(harness.platform, operations);
    harness.token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
  });
  beforeEach(() => {
    standIns.reset();
    standIns.answers.set(authorize.subject, json(anOwner()));
  });
  afterAll(() => harness.stop());
  return { harness, standIns };
}

/** An answer with JSON. */
export function json(body: object, status = 200): BusAnswer {
  return { status, body: Buffer.from(JSON.stringify(body)) };
}
