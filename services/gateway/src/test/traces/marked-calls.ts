import { getRecord, listSendHistory, pushRecord, sendEmail } from '@action-platform/contracts';
import type { TracedPlatform } from './traced-platform.ts';

/** A part of every secret, body, key and address that these callers send. */
const MARK = 'MARKEDmarked';

/** Well-formed and malformed calls, with a mark in all of their content. */
export class MarkedCalls {
  readonly #traced: TracedPlatform;
  readonly #token: string;
  readonly #secret: string;
  readonly #collection: string;

  private constructor(traced: TracedPlatform, token: string, secret: string, collection: string) {
    this.#traced = traced;
    this.#token = token;
    this.#secret = secret;
    this.#collection = collection;
  }

  /** The calls of a Member, who creates a grant for some of them. */
  static async of(traced: TracedPlatform, token: string, collection: string): Promise<MarkedCalls> {
    const { body } = await traced.createGrant(pushRecord, token, MARK);
    return new MarkedCalls(traced, token, body.secret, collection);
  }

  /** The texts that must appear nowhere. */
  get secrets(): readonly string[] {
    return [MARK, this.#token, this.#token.split('.')[2]!, this.#secret];
  }

  /** Makes one of the calls. Few of them are drafts, each of which writes a file. */
  async make(call: number): Promise<void> {
    const traced = this.#traced;
    const token = this.#token;
    const collection_id = this.#collection;
    const key = `${MARK}-${call}`;
    const payload = { [MARK]: key };
    const push = { collection_id, payload, idempotency_key: key };
    const email = { to: [`${key}@${MARK}.example`], subject: MARK, body: MARK, idempotency_key: key };
    const kinds = [
      () => traced.execute(pushRecord, token, push),
      () => traced.execute(pushRecord, this.#secret, { ...push, idempotency_key: `${key}-granted` }),
      () => traced.execute(pushRecord, token, { ...push, [MARK]: 1 }),
      () => traced.execute(getRecord, token, { collection_id, record_id: key }),
      () => traced.execute(listSendHistory, token, {}),
      () => traced.execute(sendEmail, token, email),
      () => traced.execute(getRecord, `apo_${key}`, { collection_id, record_id: key }),
      () => traced.request(`/api/v1/${key}`, token, payload),
    ];
    await kinds[call % 40 < 8 ? call % 8 : call % 5]!();
  }
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
