import { setImmediate } from 'node:timers/promises';
import { ActionError } from '@action-platform/contracts/errors';
import {
  type PushOutcome,
  type PushRecordsInput,
  pushRecord,
  pushRecords,
} from '@action-platform/contracts/operations';
import { type OperationContext, type ServedCall, serveOperation } from '@action-platform/service-host';
import { requireWritable } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedWrite } from '../writes/keyed-write.ts';
import { requireObject } from '../writes/preconditions.ts';
import type { Push } from '../writes/push.ts';
import { type PushResult, pushAll } from '../writes/push-all.ts';

/** How many items, and bytes of their payloads, are made canonical before the process goes on with other calls. */
const IN_A_TICK = { items: 10, bytes: 64 * 1024 };

/** The part of a push that all items of a call share. */
type Author = Omit<Push, 'payload' | 'keyed'>;

/** record_store.push_records: each item is a push of its own; the call fails as a whole only when it changed nothing, or nobody knows. */
export function servePushRecords(dependencies: Dependencies): ServedCall {
  return serveOperation(pushRecords, async (input, context) => {
    await requireWritable(dependencies, input, context);
    return { outcomes: await pushItems(dependencies, input, context) };
  });
}

/** The outcome of each item, in order. */
async function pushItems(
  dependencies: Dependencies,
  { collection_id: collectionId, items }: PushRecordsInput,
  context: OperationContext,
): Promise<PushOutcome[]> {
  const { origin, deadline } = context;
  const { workspaceId, userId } = context.principal;
  const author: Author = { workspaceId, collectionId, userId, operationId: pushRecords.id, origin, deadline };
  const requests = await context.turns.run(context, items, (group, from) =>
    requestsOf(group, from, author, context),
  );
  const pushes = requests.filter((request): request is Push => !(request instanceof ActionError));
  const pushed = (await pushAll(dependencies, pushes, context)).values();
  const results = requests.map((request) =>
    request instanceof ActionError ? request : pushed.next().value!,
  );
  refuseWhenAllUnavailable(results);
  return results.map(outcomeOf);
}

/** The requests of items. @param from the place of the first item in its call */
async function requestsOf(
  items: Readonly<PushRecordsInput['items']>,
  from: number,
  author: Author,
  context: OperationContext,
): Promise<(Push | ActionError)[]> {
  const requests: (Push | ActionError)[] = [];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    // A repetition of the approved call finds the Records of items without a key by the approval.
    const { approval_id: approvalId } = author.origin;
    const key = item.idempotency_key ?? (approvalId && `${approvalId}/${from + index}`);
    const request = await requestOf(item.payload, key, author, context);
    requests.push(request);
    bytes += request instanceof ActionError ? 0 : request.payload.byteLength;
    if (requests.length % IN_A_TICK.items === 0 || bytes > IN_A_TICK.bytes) {
      await setImmediate();
      bytes = 0;
    }
  }
  return requests;
}

/** A push, or the refusal of its payload. */
async function requestOf(
  value: Parameters<typeof requireObject>[1],
  key: string | undefined,
  author: Author,
  context: OperationContext,
): Promise<Push | ActionError> {
  try {
    const payload = requireObject('payload', value);
    const keyed = await keyedWrite(key, { operationId: pushRecord.id, value: payload }, context);
    return { ...author, payload, keyed };
  } catch (error) {
    if (error instanceof ActionError) return error;
    throw error;
  }
}

/** Refuses a call as a whole when nothing of it was done, because the platform could not do it now. */
function refuseWhenAllUnavailable(results: readonly PushResult[]): void {
  const isUnavailable = (result: PushResult) =>
    result instanceof ActionError && result.code === 'action_platform_unavailable';
  if (results.every(isUnavailable)) throw results[0];
}

function outcomeOf(result: PushResult): PushOutcome {
  if (!(result instanceof ActionError)) {
    const { id, version } = result.record;
    return { record: { id, version }, replayed: result.isReplay };
  }
  const { requestId, ...error } = result.toEnvelope('', 'item').error;
  return { error, ...(result.recordId !== undefined && { record_id: result.recordId }) };
}
