import { type Bus, callService } from '@action-platform/bus';
import {
  type CustomOperation,
  type Effect,
  findCustomOperation,
  type Granted,
  type Operation,
  operationOf,
} from '@action-platform/contracts';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../dispatch/admission.ts';
import type { Exchange } from '../dispatch/exchange.ts';
import { requestOptions } from '../dispatch/service-request.ts';

/** How many bytes the kept definitions of custom operations have, as JSON; their descriptions take several times as much. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** An operation with its descriptions, each made once, at its first use. */
export class DescribedOperation {
  readonly id: string;
  readonly effect: Effect;
  readonly dataScope: Operation['dataScope'];
  readonly #declare: () => Operation;
  readonly #made = new Map<(operation: Operation) => unknown, unknown>();

  /** @param declare makes its declaration, which is not kept: that of a custom operation is much larger than its descriptions. */
  constructor(
    { id, effect, dataScope }: Pick<Operation, 'id' | 'effect' | 'dataScope'>,
    declare: () => Operation,
  ) {
    this.id = id;
    this.effect = effect;
    this.dataScope = dataScope;
    this.#declare = declare;
  }

  get declaration(): Operation {
    return this.#declare();
  }

  /** Its description by a function; the same function always gets the same one. */
  as<Description>(describe: (operation: Operation) => Description): Description {
    return this.#made.getOrInsertComputed(describe, () => describe(this.#declare())) as Description;
  }
}

/**
 * The operations that callers list. Custom operations come from grants: kept ones are never stale, because a change gives an operation
 * another revision, and grants names the present ones for every request.
 */
export class DescribedOperations {
  readonly #bus: Bus;
  readonly #builtIn: ReadonlyMap<string, DescribedOperation>;
  readonly #custom = new LRUCache<string, DescribedOperation>({ maxSize: KEPT_BYTES });

  constructor(bus: Bus, operations: ReadonlyMap<string, Operation>) {
    this.#bus = bus;
    this.#builtIn = new Map(
      [...operations].map(([id, operation]) => [id, new DescribedOperation(operation, () => operation)]),
    );
  }

  /** The operations that a caller can execute, in their order; those that this gateway does not know are left out. */
  async among(
    { operations, custom }: Granted,
    exchange: Exchange,
    caller: Caller,
  ): Promise<readonly DescribedOperation[]> {
    const found = operations.map((id) => {
      const revision = custom?.revisions[id];
      if (revision === undefined) return this.#builtIn.get(id);
      const key = JSON.stringify([custom!.workspaceId, id, revision]);
      return (
        this.#custom.get(key) ?? this.#find({ workspaceId: custom!.workspaceId, id }, key, exchange, caller)
      );
    });
    return (await Promise.all(found)).filter((operation) => operation !== undefined);
  }

  /** A custom operation as it is now, which may be newer than that of the key; undefined when it was removed meanwhile. */
  async #find(
    named: { readonly workspaceId: string; readonly id: string },
    key: string,
    exchange: Exchange,
    caller: Caller,
  ): Promise<DescribedOperation | undefined> {
    const options = requestOptions(exchange, caller, findCustomOperation);
    const definition: CustomOperation = await callService(this.#bus, findCustomOperation, named, options);
    if (definition.status === 'removed') return undefined;
    const described = new DescribedOperation(definition, () => operationOf(definition));
    this.#custom.set(key, described, { size: JSON.stringify(definition).length });
    return described;
  }
}
