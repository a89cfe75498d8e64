import { Admission } from '@action-platform/admission';
import { type Bus, callService } from '@action-platform/bus';
import { findCustomOperation } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type Granted, type Operation, operationOf } from '@action-platform/contracts/operations';
import pLimit from 'p-limit';
import type { Caller } from '../dispatch/admission.ts';
import type { Exchange } from '../dispatch/exchange.ts';
import { requestOptions } from '../dispatch/service-request.ts';
import { DescribedOperation } from './described-operation.ts';
import { KeptDescriptions, type NamedRevision } from './kept-descriptions.ts';

/** How many definitions a gateway reads from grants at once, and of these one list. */
const READ_AT_ONCE = { all: 8, ofList: 4 };

/** How long a read may wait for others, in milliseconds. */
const WAIT_MS = 10_000;

/**
 * The operations that callers list. Custom operations come from grants: a kept operation is never stale, because a change gives an
 * operation another revision, and grants names the present revisions for every request.
 *
 * A gateway reads few definitions at once, one Workspace after the other, so that a long list delays neither others nor grants. The gateway
 * counts them against the byte budget of their call.
 */
export class DescribedOperations {
  readonly #bus: Bus;
  readonly #builtIn: ReadonlyMap<string, DescribedOperation>;
  readonly #kept = new KeptDescriptions();
  readonly #reads = new Admission({
    // The calls in flight bound the reads that wait.
    ...{ maxTaken: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY },
    atWork: { most: READ_AT_ONCE.all, least: READ_AT_ONCE.all },
    maxWaitMs: WAIT_MS,
    refusal: () => new ActionError('action_platform_unavailable'),
  });

  constructor(bus: Bus, operations: ReadonlyMap<string, Operation>) {
    this.#bus = bus;
    this.#builtIn = new Map(
      [...operations].map(([id, operation]) => [id, new DescribedOperation(operation, () => operation)]),
    );
  }

  /**
   * The operations that a caller can execute, in their order; operations that this gateway does not know are left out.
   *
   * @throws ActionError `action_platform_unavailable` when there is no time or no memory for their definitions.
   */
  async among(
    { operations, custom }: Granted,
    exchange: Exchange,
    caller: Caller,
  ): Promise<readonly DescribedOperation[]> {
    const few = pLimit(READ_AT_ONCE.ofList);
    const found = operations.map((id) => {
      const revision = custom?.revisions[id];
      if (revision === undefined) return this.#builtIn.get(id);
      const named = { workspaceId: custom!.workspaceId, id, revision };
      return this.#kept.get(named) ?? few(() => this.#find(named, exchange, caller));
    });
    try {
      return (await Promise.all(found)).filter((operation) => operation !== undefined);
    } finally {
      few.clearQueue();
    }
  }

  /** A custom operation, read in its turn unless another list has read it meanwhile. */
  async #find(
    named: NamedRevision,
    exchange: Exchange,
    caller: Caller,
  ): Promise<DescribedOperation | undefined> {
    const turn = { fairnessKey: caller.fairnessKey, deadline: exchange.deadline, bytes: 0 };
    await this.#reads.enter(turn);
    try {
      return this.#kept.get(named) ?? (await this.#read(named, exchange, caller));
    } finally {
      this.#reads.leave(turn);
    }
  }

  /** A custom operation as it is now, which may be newer than the named revision; undefined when it was removed meanwhile. */
  async #read(
    named: NamedRevision,
    exchange: Exchange,
    caller: Caller,
  ): Promise<DescribedOperation | undefined> {
    const { workspaceId, id } = named;
    const options = requestOptions(exchange, caller, findCustomOperation);
    const definition = await callService(this.#bus, findCustomOperation, { workspaceId, id }, options);
    if (definition.status === 'removed') return undefined;
    const size = JSON.stringify(definition).length;
    caller.bytes.holdMore(size);
    const described = new DescribedOperation({ id, effect: definition.effect, dataScope: undefined }, () =>
      operationOf(definition),
    );
    this.#kept.set(named, described, size);
    return described;
  }
}
