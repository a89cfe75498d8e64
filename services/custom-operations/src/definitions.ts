import type { Bus } from '@action-platform/bus';
import { findCustomOperation } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import {
  type CustomOperation,
  foundCustomOperation,
  type Operation,
  operationOf,
} from '@action-platform/contracts/operations';
import { callOnward, type OperationContext } from '@action-platform/service-host';
import { LRUCache } from 'lru-cache';

/** How many definitions a process remembers. */
const REMEMBERED = 500;

/** The operation of a definition. */
export interface DefinedOperation extends Operation {
  readonly definition: CustomOperation;
}

/** The definitions of custom operations, each remembered until a call was authorized with another one: an older one, when the database was set back. */
export class Definitions {
  readonly #bus: Bus;
  readonly #known = new LRUCache<string, DefinedOperation>({ max: REMEMBERED });

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /**
   * The operation of a call.
   *
   * @param header of grants, with its id and revision (`busHeaders.customOperation`).
   * @throws ActionError `unknown_operation` when it was removed since.
   */
  async find(header: string, context: OperationContext): Promise<DefinedOperation> {
    const { id, revision, updatedAt } = foundCustomOperation.parse(JSON.parse(header));
    const { workspaceId } = context.principal;
    const place = `${workspaceId} ${id}`;
    const known = this.#known.get(place);
    const isPresent = ({ definition }: DefinedOperation) =>
      definition.revision === revision && (updatedAt === undefined || definition.updatedAt === updatedAt);
    if (known !== undefined && isPresent(known)) return known;
    const definition = await callOnward(this.#bus, findCustomOperation, { workspaceId, id }, context);
    if (definition.status === 'removed') throw new ActionError('unknown_operation');
    const found = { ...operationOf(definition), definition };
    this.#known.set(place, found);
    return found;
  }
}
