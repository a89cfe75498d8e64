import type { Timed } from '@action-platform/contracts/calls';
import { type ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { isCustomId, operationOf } from '@action-platform/contracts/operations';
import type { ApprovalRule } from '@action-platform/contracts/resources';
import { type JsonSchema, publishedSchema } from '@action-platform/contracts/schema';
import { faultOf } from '../approval-rules/sound-condition.ts';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { type MemberEpoch, memberEpoch, memberKey } from '../members/stored-member.ts';

/**
 * Refuses (`invalid_request`) rules that could never hold what they name, or that nobody named could decide; the message has the place.
 *
 * @returns the approvers that the rules name, in their present authority epoch.
 */
export async function requireSound(
  dependencies: Dependencies,
  workspaceId: string,
  rules: readonly ApprovalRule[],
  timed: Timed,
): Promise<MemberEpoch[]> {
  const { grants, members } = dependencies;
  const grantIds = rules.flatMap(({ grantIds = [] }) => grantIds);
  const known = new Set(await grants.known(workspaceId, grantIds, timed));
  const ids = rules.flatMap(({ operations = [] }) => operations);
  const operations = await knownOperations(dependencies, workspaceId, ids, timed, true);
  const users = [...new Set(rules.flatMap(({ approvers = [] }) => approvers))];
  const found = await Promise.all(users.map((user) => members.find(memberKey(workspaceId, user), timed)));
  const memberOf = new Map(users.map((user, index) => [user, found[index]]));
  const schemas = new Map<string, JsonSchema>();
  const named = new Map<string, MemberEpoch>();
  for (const [index, rule] of rules.entries()) {
    const { operations: ids = [], callers, grantIds = [], when = [], approvers = [] } = rule;
    const place = `rules[${index}]`;
    for (const [at, id] of ids.entries()) {
      if (operations.get(id)?.effect === 'write') continue;
      throw unsound(`${place}.operations[${at}]`, `${JSON.stringify(id)} is not an operation that writes`);
    }
    if (grantIds.length > 0 && callers !== 'grants')
      throw unsound(`${place}.grantIds`, 'needs callers "grants"');
    for (const [at, id] of grantIds.entries()) {
      if (!known.has(id)) throw unsound(`${place}.grantIds[${at}]`, 'is no grant of this Workspace');
    }
    if (when.length > 0) {
      for (const id of ids)
        if (!schemas.has(id)) schemas.set(id, await inputSchemaOf(dependencies, workspaceId, id, timed));
      requireSoundConditions(place, rule, new Map(ids.map((id) => [id, schemas.get(id)!])));
    }
    for (const [at, user] of approvers.entries()) {
      const member = memberOf.get(user);
      if (member?.status !== 'active')
        throw unsound(`${place}.approvers[${at}]`, 'is no active Member of this Workspace');
      named.set(user, memberEpoch(member));
    }
  }
  return [...named.values()];
}

/** Refuses the change of a custom operation whose input schema no longer has a field that a rule names. */
export function requireFieldsOfRules(rules: readonly ApprovalRule[], id: string, schema: JsonSchema): void {
  for (const [index, rule] of rules.entries()) {
    if (rule.operations?.includes(id) !== true) continue;
    requireSoundConditions(
      `inputSchema: a rule of approvals needs a field, rules[${index}]`,
      rule,
      new Map([[id, schema]]),
    );
  }
}

function requireSoundConditions(
  place: string,
  { when = [] }: ApprovalRule,
  schemas: ReadonlyMap<string, JsonSchema>,
): void {
  for (const [at, condition] of when.entries()) {
    const fault = schemas.size === 0 ? 'needs operations' : faultOf(condition, schemas);
    if (fault !== undefined) throw unsound(`${place}.when[${at}]`, fault);
  }
}

/** The input schema of a known operation, as callers see it; a custom one may be removed. */
async function inputSchemaOf(
  { operations, customOperations }: Dependencies,
  workspaceId: string,
  id: string,
  timed: Timed,
): Promise<JsonSchema> {
  const operation = isCustomId(id)
    ? operationOf(await customOperations.require({ workspaceId, id }, timed))
    : operations.get(id)!;
  return publishedSchema(operation.input, 'input');
}

function unsound(place: string, problem: string): ActionError {
  return invalidRequest(`${place}: ${problem}.`);
}
