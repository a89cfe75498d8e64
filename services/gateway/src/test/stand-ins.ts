import type { BusAnswer, BusRequest } from '@action-platform/bus';
import {
  ActionError,
  authorize,
  busHeaders,
  discover,
  findCustomOperation,
  grantRoutes,
  type Operation,
  operationSubject,
} from '@action-platform/contracts';
import { anOwner, type TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { GatewayHarness } from './harness.ts';

/** A request that a stand-in received. */
export interface Received {
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
export class StandIns {
  /** Every request, in order. */
  readonly received: Received[] = [];
  /** The answers by subject, by default an empty listing; an array holds one answer for each request. */
  readonly answers = new Map<string, Reply | Reply[] | ((request: BusRequest) => Promise<Reply>)>();

  async start(platform: TestPlatform, operations: readonly Operation[]): Promise<void> {
    const grants = [
      ...Object.values(grantRoutes).flatMap((calls) => Object.values(calls)),
      authorize,
      discover,
      findCustomOperation,
    ];
    const served = [
      ...grants.map(({ service, subject }) => ({ service, subject })),
      ...operations.map((operation) => ({
        service: operation.service,
        subject: operationSubject(operation),
      })),
    ];
    for (const { service, subject } of served) {
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
        const told = this.answers.get(subject);
        const next =
          typeof told === 'function' ? await told(request) : Array.isArray(told) ? told.shift() : told;
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

  /** The requests on a subject. */
  asked(subject: string): Received[] {
    return this.received.filter((request) => request.subject === subject);
  }
}

/** A gateway in front of stand-ins. */
interface GatewayWithStandIns {
  readonly harness: GatewayHarness;
  readonly standIns: StandIns;
  /** The session token of a caller. */
  token: string;
}

/**
 * Starts a gateway with stand-ins before the tests of a file. At the beginning of each test grants allows every call.
 *
 * @param operations the operations that a stand-in serves.
 * @param environment further variables of the gateway.
 * @param definition a gateway that offers others.
 */
export function gatewayWithStandIns(
  operations: readonly Operation[],
  environment: Readonly<Record<string, string>> = {},
  definition?: Parameters<GatewayHarness['start']>[1],
): GatewayWithStandIns {
  const [harness, standIns] = [new GatewayHarness(), new StandIns()];
  const gateway: GatewayWithStandIns = { harness, standIns, token: '' };
  beforeAll(async () => {
    await harness.start(environment, definition);
    await standIns.start(harness.platform, operations);
    gateway.token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
  });
  beforeEach(() => {
    standIns.reset();
    standIns.answers.set(authorize.subject, json(anOwner()));
  });
  afterAll(() => harness.stop());
  return gateway;
}

/** An answer with JSON. */
export function json(body: object, status = 200): BusAnswer {
  return { status, body: Buffer.from(JSON.stringify(body)) };
}
