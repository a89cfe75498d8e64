import { getRecord, listSendHistory, pushRecord, sendEmail } from '@action-platform/contracts/operations';
import type { TracedPlatform } from './traced-platform.ts';

/** A part of every secret, body, key and address that these callers send. */
const MARK = 'MARKEDmarked';

/** Well-formed and malformed calls, with a mark in all of their content, of a Member and of a grant. */
export async function markedCalls(traced: TracedPlatform, token: string, collection_id: string) {
  const { secret } = (await traced.createGrant(pushRecord, token, MARK)).body;
  /** Makes one of the calls. Few calls are drafts, each of which writes a file. */
  const make = async (call: number): Promise<void> => {
    const key = `${MARK}-${call}`;
    const payload = { [MARK]: key };
    const push = { collection_id, payload, idempotency_key: key };
    const email = { to: [`${key}@${MARK}.example`], subject: MARK, body: MARK, idempotency_key: key };
    const kinds = [
      () => traced.execute(pushRecord, token, push),
      () => traced.execute(pushRecord, secret, { ...push, idempotency_key: `${key}-granted` }),
      () => traced.execute(pushRecord, token, { ...push, [MARK]: 1 }),
      () => traced.execute(getRecord, token, { collection_id, record_id: key }),
      () => traced.execute(listSendHistory, token, {}),
      () => traced.execute(sendEmail, token, email),
      () => traced.execute(getRecord, `apo_${key}`, { collection_id, record_id: key }),
      () => traced.request(`/api/v1/${key}`, token, payload),
    ];
    await kinds[call % 40 < 8 ? call % 8 : call % 5]!();
  };
  /** The texts that must appear nowhere. */
  const secrets = [MARK, token, token.split('.')[2]!, secret];
  return { make, secrets };
}

/** Makes calls from this many concurrent clients. */
export async function inParallel(
  calls: number,
  clients: number,
  make: (call: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < calls) await make(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
}
