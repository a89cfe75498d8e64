import { invalidRequest } from '@action-platform/contracts/errors';
import {
  type CustomOperation,
  isTool,
  type Target,
  targetProblem,
} from '@action-platform/contracts/operations';
import type { CustomOperationChange } from '@action-platform/contracts/resources';
import type { CallContext } from '@action-platform/service-host';
import type { OtherServices } from '../other-services/other-services.ts';
import { type EndpointRules, endpointUrl } from './endpoint-url.ts';

/** Where the calls of a custom operation go. */
export type Place = Pick<CustomOperation, 'url' | 'target' | 'connectorId'>;

const NEEDED = {
  http: 'takes a method and a path, as its connector is an API.',
  mcp: 'takes a tool and a digest, as its connector is an MCP server.',
} as const;

interface Dependencies {
  readonly endpoints: EndpointRules;
  readonly otherServices: OtherServices;
}

/**
 * The place of a definition, checked: its URL in its normal form, or its target with what a repeated write does.
 *
 * @throws ActionError `invalid_request` for a place that is not permitted, that does not fit the input, or without such a connector.
 */
export async function placeOf(
  { url, target, ...definition }: CustomOperationChange,
  workspaceId: string,
  { endpoints, otherServices }: Dependencies,
  context: CallContext,
): Promise<Place> {
  if ((url === undefined) === (target === undefined))
    throw invalidRequest('url: it, or a target, must be given.');
  if (target === undefined) return { url: endpointUrl(url!, endpoints) };
  const problem = targetProblem({ ...definition, target });
  if (problem !== undefined) throw invalidRequest(`${problem.path.join('.')}: ${problem.message}.`);
  const { found } = await otherServices.connector(workspaceId, target.connector, context);
  if (found === undefined)
    throw invalidRequest('target.connector: the Workspace has no connector with this name.');
  if (isTool(target) !== (found.kind === 'mcp')) throw invalidRequest(`target: ${NEEDED[found.kind]}`);
  const repeats = repeatsOf(target, found.takesKey);
  if (repeats === 'key' && !found.takesKey)
    throw invalidRequest('target.repeats: key is for connectors with an idempotencyHeader.');
  const isWrite = definition.effect === 'write';
  return { target: { ...target, ...(isWrite && { repeats }) }, connectorId: found.id };
}

/** Repetitions of a write by method: PUT and DELETE are idempotent (RFC 9110, section 9.2.2). */
function repeatsOf(target: Target, takesKey: boolean): NonNullable<Target['repeats']> {
  const isIdempotent = !isTool(target) && (target.method === 'put' || target.method === 'delete');
  return target.repeats ?? (takesKey ? 'key' : isIdempotent ? 'safe' : 'never');
}
