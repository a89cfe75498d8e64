import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { OperationContext } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { CallBlock } from '../quota/call-block.ts';
import type { Heads } from '../storage/heads.ts';
import { describeRecord, type Head, type Tombstone } from '../storage/stored-head.ts';
import type { WriteResult } from './keyed-write.ts';
import { pushed } from './next-head.ts';
import { firstOutcomeOf, type Push, push } from './push.ts';

type InTurns = Pick<OperationContext, 'turns' | 'fairnessKey' | 'deadline'>;

/** The outcome of one of several pushes. */
export type PushResult = WriteResult | ActionError;

/**
 * Makes the pushes of a call, as if one after the other: every push has a key, a quota check and a refusal of its own.
 *
 * With room for all of them, one block (`push.ts`) reserves their bytes and record ids, and one command for each turn inserts them. Then no
 * order can matter for the quota, and of pushes with the same key the first is inserted alone. Otherwise each push is independent of the others.
 *
 * @param requests of one Collection, with the same deadline.
 * @throws what `push` throws that is no ActionError: the outcome of the call is then unknown, and each key tells its own.
 */
export async function pushAll(
  dependencies: Dependencies,
  requests: readonly Push[],
  context: InTurns,
): Promise<PushResult[]> {
  const made = await insertTogether(dependencies, requests, context);
  const results: PushResult[] = [];
  for (const request of requests) results.push(made.get(request) ?? (await pushAlone(dependencies, request)));
  return results;
}

async function pushAlone(dependencies: Dependencies, request: Push): Promise<PushResult> {
  try {
    return await push(dependencies, request);
  } catch (error) {
    if (error instanceof ActionError) return error;
    throw error;
  }
}

/** The results of the pushes that one command has decided: those that it made, and those whose keys were taken. */
async function insertTogether(
  dependencies: Dependencies,
  requests: readonly Push[],
  context: InTurns,
): Promise<Map<Push, PushResult>> {
  const { quota, heads, limits } = dependencies;
  const keys = new Set<string>();
  const firstOfKeys = requests.filter(({ keyed, payload }) => {
    const isFirst = keyed === undefined || (!keys.has(keyed.key) && keys.add(keyed.key));
    return isFirst && payload.byteLength <= limits.RECORD_PAYLOAD_MAX_BYTES;
  });
  // A single push takes a slot of the open block of its Workspace, or reserves and inserts with one command.
  if (firstOfKeys.length < 2) return new Map();
  const { workspaceId } = firstOfKeys[0]!;
  const block = new CallBlock(
    firstOfKeys.map(({ payload }) => payload.byteLength),
    limits.RECORD_PAYLOAD_MAX_BYTES,
  );
  const reservation = await quota.reserveBlock(workspaceId, block, firstOfKeys[0]!);
  if (reservation === undefined) return new Map();
  const inserted = firstOfKeys.map((request, index) =>
    pushed({ ...request, recordId: block.recordIds[index]! }, request),
  );
  const wereInserted = await reservation.commit(() =>
    context.turns.run(context, inserted, (group, from) => insertGroup(heads, group, from, firstOfKeys[0]!)),
  );
  const results = new Map<Push, PushResult>();
  for (const [index, isMade] of wereInserted.entries())
    if (isMade)
      results.set(firstOfKeys[index]!, { record: describeRecord(inserted[index]!), isReplay: false });
  const taken = firstOfKeys.filter((request) => request.keyed !== undefined && !results.has(request));
  const replays = await replaysOf(dependencies, taken).catch((error: unknown): [Push, PushResult][] => {
    // The other Records are stored, so the call must not fail. Each request in `taken` is a push of its own.
    if (error instanceof ActionError) return [];
    throw error;
  });
  for (const [request, result] of replays) results.set(request, result);
  return results;
}

/** Inserts a part of the Records of a call; whether each was made. A refusal after the first part leaves the rest to {@link pushAlone}. */
async function insertGroup(
  heads: Heads,
  group: readonly Head[],
  from: number,
  timed: Timed,
): Promise<boolean[]> {
  try {
    return await heads.insertAll(group, timed);
  } catch (error) {
    if (from === 0 || !(error instanceof ActionError)) throw error;
    return group.map(() => false);
  }
}

/** The results of pushes whose keys exist, found with one query. */
async function replaysOf(
  dependencies: Dependencies,
  requests: readonly Push[],
): Promise<[Push, PushResult][]> {
  if (requests.length === 0) return [];
  const { workspaceId, collectionId } = requests[0]!;
  const keys = requests.map(({ keyed }) => keyed!.key);
  const found = await dependencies.heads.findByPushKeys(workspaceId, collectionId, keys, requests[0]!);
  const byKey = new Map(found.map((head) => [head.push_idempotency_key!, head]));
  const settled = requests.flatMap((request): [Push, Head | Tombstone][] => {
    const head = byKey.get(request.keyed!.key);
    return head === undefined ? [] : [[request, head]];
  });
  return await Promise.all(
    settled.map(async ([request, head]): Promise<[Push, PushResult]> => {
      try {
        const record = await firstOutcomeOf(dependencies, request, head);
        return [request, { record, isReplay: true }];
      } catch (error) {
        if (error instanceof ActionError) return [request, error];
        throw error;
      }
    }),
  );
}
