import assert from 'node:assert/strict';
import { approvalRoutes, type Member, membershipRoutes, webhookRoutes } from '@action-platform/contracts';
import { type Answer, send } from '../http.ts';
import type { SharedStack } from '../shared-stack.ts';
import { COLLEAGUE, MEMBER, OWNER } from '../workspace.ts';
import type { RawAnswer } from './http/answers.ts';
import { type Fuzzed, makeFuzzed } from './references.ts';

/** The writes that wait for an approval. */
const RULES = [{ operations: ['record_store.delete_record', 'record_store.archive_record'] }];

interface State {
  readonly rules: unknown;
  readonly owners: unknown;
  readonly decided: unknown;
}

/** A Workspace with what needs a person: rules, calls that wait, Owners, and secrets that were shown once. */
export class Guarded {
  readonly fuzzed: Fuzzed;
  readonly #secrets: readonly string[];
  #before!: State;

  private constructor(fuzzed: Fuzzed, secrets: readonly string[]) {
    this.fuzzed = fuzzed;
    this.#secrets = secrets;
  }

  static async make(stack: SharedStack): Promise<Guarded> {
    const gateway = stack.gateways[0]!;
    const { workspace, mark } = await makeFuzzed(stack);
    const fresh = await stack.operator.freshToken(workspace.id, OWNER);
    const { collection: collection_id, record: record_id } = workspace.ids;

    // The example of a change of rules names the third revision.
    const { method, path, requestBody } = approvalRoutes.setRules;
    const named = Number(requestBody!.example.revision);
    for (let revision = 0; revision < named; revision++) {
      const body = JSON.stringify({ revision, rules: RULES });
      expectOk(await send(gateway, { method: method.toUpperCase(), path, token: fresh, body }));
    }
    const waiting: string[] = [];
    for (const caller of [OWNER, MEMBER, 'record_store.delete_record', 'routine']) {
      const call = { collection_id, record_id };
      const held = await workspace.execute(caller, 'record_store.delete_record', call, 'run');
      waiting.push(String(held.headers['x-operation-approval-id']));
    }
    const endpoint = { url: 'https://example.com/webhook' };
    const created = await workspace.request(OWNER, 'POST', webhookRoutes.create.path, endpoint);
    expectOk(created);
    const { tokens } = workspace;
    const grants = Object.values(tokens).filter(
      (token) => token.startsWith('apo_') || token.startsWith('apr_'),
    );
    const segments = [...waiting, ...waiting, OWNER, MEMBER, COLLEAGUE, workspace.ids.connection];
    const guarded = new Guarded({ workspace, mark, segments }, [
      ...grants,
      JSON.parse(created.text).secret,
      fresh,
    ]);
    guarded.#before = await guarded.#state();
    assert.deepEqual(guarded.#before.decided, []);
    return guarded;
  }

  /** @throws AssertionError when a decision was made, a rule changed, an Owner made or removed, or an answer has a secret. */
  async check(answers: readonly RawAnswer[]): Promise<void> {
    for (const { headers, body } of answers) {
      const text = `${JSON.stringify(headers)}${body}`;
      assert(
        !this.#secrets.some((secret) => text.includes(secret)),
        `an answer has a secret: ${body.slice(0, 300)}`,
      );
    }
    assert.deepEqual(await this.#state(), this.#before);
  }

  async #state(): Promise<State> {
    const [rules, members, approvals] = await Promise.all(
      [
        approvalRoutes.rules.path,
        `${membershipRoutes.list.path}?limit=200`,
        `${approvalRoutes.list.path}?limit=200`,
      ].map(async (path) => JSON.parse(expectOk(await this.fuzzed.workspace.request(OWNER, 'GET', path)))),
    );
    return {
      rules,
      owners: members.members.flatMap(({ role, userId }: Member) => (role === 'owner' ? [userId] : [])),
      decided: approvals.approvals.filter(({ decidedBy }: { decidedBy?: string }) => decidedBy !== undefined),
    };
  }
}

function expectOk({ status, text }: Answer): string {
  assert(status < 300, text);
  return text;
}
