import { grantOf, type Principal } from '@action-platform/contracts/authority';
import { ActionError } from '@action-platform/contracts/errors';
import { type CallOfText, ExactJson, fingerprintOf, mergePatchAsync } from '@action-platform/json';

/** A call that a rule holds. */
export interface HeldCall {
  readonly principal: Principal;
  readonly operation: string;
  readonly key: string | undefined;
  /** Of a custom operation: an approval holds for it alone. */
  readonly revision?: number | undefined;
  /** The body as it was sent. */
  readonly input: ExactJson;
}

/** A new version of the digest makes every call another one. */
const VERSION = 1;

/** The idempotency key counts by itself, because it may stand in the body or in a header. */
const WITHOUT_KEY = new ExactJson('{"idempotency_key":null}');

/**
 * Identifies a call by value: SHA-256 of its Workspace, caller, authority epoch, operation, idempotency key and input, with the revision of
 * a custom operation. The order of names and the white space of the input do not count; its numbers do, digit by digit.
 */
export async function callDigest(
  { principal, operation, key, revision, input }: HeldCall,
  epoch: number,
  by?: CallOfText,
): Promise<string> {
  const { workspaceId, userId } = principal;
  const call = [VERSION, workspaceId, userId, epoch, grantOf(principal) ?? null, operation, key ?? null];
  if (revision !== undefined) call.push(revision);
  const value = await mergePatchAsync(input, WITHOUT_KEY, by);
  return await fingerprintOf(value, `${JSON.stringify(call)}\n`, by);
}

/** The JSON object in a held body, which its service has read before; a call without input may have none. */
export function inputIn(body: string): ExactJson {
  const input = new ExactJson(Buffer.from(body, 'base64').toString().trim() || '{}');
  if (input.kind !== 'object') throw new ActionError('invalid_request');
  return input;
}
