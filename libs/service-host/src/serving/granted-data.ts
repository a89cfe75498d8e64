import type { Bus } from '@action-platform/bus';
import type { GrantData, Principal } from '@action-platform/contracts/authority';
import { grantedData } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import { LRUCache } from 'lru-cache';
import { callOnward } from './call-onward.ts';
import type { CallContext } from './context.ts';

/** How many ids of grants' data a process remembers, of as many grants as that takes: one may list thousands. */
const REMEMBERED_IDS = 100_000;

/**
 * The data that routine grants reach. Each is requested once, as it never changes; the grants service has checked the
 * grant itself for this very call.
 */
export class GrantedData {
  readonly #bus: Bus;
  readonly #known = new LRUCache<string, GrantData>({ maxSize: REMEMBERED_IDS, sizeCalculation: idsIn });

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  async of(grantId: string, context: CallContext): Promise<GrantData> {
    const known = this.#known.get(grantId);
    if (known !== undefined) return known;
    const { data } = await callOnward(this.#bus, grantedData, { grantId }, context);
    if (data === null) throw new ActionError('grant_revoked');
    this.#known.set(grantId, data);
    return data;
  }
}

/** How many ids it lists, and its grant's own. */
function idsIn(data: GrantData): number {
  return Object.values(data).flat().length + 1;
}

/**
 * The ids of the operation's kind of data that a scheduled call may reach; undefined when nothing is limited. Refuses a
 * call that reaches data its routine grant does not list (`grant_data_scope_exceeded`). It stands before every handler,
 * so none can forget it.
 */
export async function requireDataInScope(
  { dataScope }: Operation,
  input: unknown,
  { routine }: Principal,
  grants: GrantedData,
  context: CallContext,
): Promise<readonly string[] | undefined> {
  if (routine === undefined || dataScope === undefined) return undefined;
  const granted: readonly string[] = (await grants.of(routine.id, context))[dataScope.kind] ?? [];
  const refused = dataScope.reached?.(input as never).find((id) => !granted.includes(id));
  if (refused !== undefined) {
    throw new ActionError('grant_data_scope_exceeded', {
      message: `The grant does not list this in ${dataScope.kind}. It lists ${named(granted)}.`,
    });
  }
  const outputDefinition = dataScope.outputDefinition?.(input as never);
  if (outputDefinition !== undefined && outputDefinition !== routine.outputDefinition) {
    throw new ActionError('grant_data_scope_exceeded', {
      message: `The grant was created for another output_definition: ${JSON.stringify(routine.outputDefinition)}.`,
    });
  }
  return granted;
}

/** The most ids that a refusal names. */
const NAMED = 20;

function named(ids: readonly string[]): string {
  if (ids.length === 0) return 'none';
  const more = ids.length - NAMED;
  return `${ids.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
