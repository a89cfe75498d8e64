import type { Timed } from '@action-platform/contracts/calls';
import { Batcher, type ItemOutcome, within } from '@action-platform/mongo';
import {
  type ClientInsertOneModel,
  type ClientUpdateOneModel,
  type MongoClient,
  MongoClientBulkWriteError,
} from 'mongodb';

/** The insertion of a document, which commits a change. */
export type Insertion = ClientInsertOneModel<{ _id: string }> & { readonly namespace: string };

/** A write of a sequence: the update of a usage, or an insertion that needs it. */
type Write = (ClientUpdateOneModel<{ _id: string }> & { readonly namespace: string }) | Insertion;

/** Writes that the database makes in order, up to the first that fails. */
export interface Sequence {
  readonly writes: readonly Write[];
  /** The approximate bytes of the writes. */
  readonly bytes: number;
}

/** The position (from 0) of the write at which the database stopped, and its error; undefined when it made all writes. */
export type Stop = { readonly position: number; readonly code: number; readonly error: Error } | undefined;

/** Larger sequences have a command of their own, so that no Workspace waits for the large writes of another. */
const SMALL_BYTES = 64 * 1024;
/** Two commands at once, so that a sequence does not wait for the end of the command in flight. */
const TOGETHER = { maxItems: 100, maxBytes: 1024 * 1024, atOnce: 2 };

/** Makes sequences of writes; small sequences of many Workspaces share one command. */
export class PooledWrites {
  readonly #client: Pick<MongoClient, 'bulkWrite'>;
  readonly #small: Batcher<Sequence, Stop>;

  constructor(client: Pick<MongoClient, 'bulkWrite'>) {
    this.#client = client;
    this.#small = new Batcher(
      'usage.together',
      { ...TOGETHER, bytesOf: ({ bytes }) => bytes },
      (sequences, timed) => this.#makeAll(sequences, timed),
    );
  }

  /** Makes the writes of a sequence; rejects when their outcome is unknown. */
  async make(sequence: Sequence, timed: Timed): Promise<Stop> {
    if (sequence.bytes > SMALL_BYTES) return await this.#make(sequence.writes, timed);
    return await this.#small.submit(sequence, timed);
  }

  /**
   * Makes the sequences in one command, in order. The database skips the sequences after one that stops. The pool sends
   * each of those again in a command of its own, so that other sequences delay it at most once.
   */
  async #makeAll(sequences: readonly Sequence[], timed: Timed): Promise<ItemOutcome<Stop>[]> {
    const stop = await this.#make(
      sequences.flatMap(({ writes }) => writes),
      timed,
    );
    if (stop === undefined) return sequences.map(() => ({ value: undefined }));
    let { position } = stop;
    const stopped = sequences.findIndex(({ writes }) => {
      if (position < writes.length) return true;
      position -= writes.length;
      return false;
    });
    const skipped = sequences.slice(stopped + 1).map(({ writes }) => this.#make(writes, timed));
    return [
      ...sequences.slice(0, stopped).map(() => ({ value: undefined })),
      { value: { ...stop, position } },
      ...(await Promise.allSettled(skipped)).map(outcomeOf),
    ];
  }

  async #make(writes: readonly Write[], timed: Timed): Promise<Stop> {
    try {
      await this.#client.bulkWrite<Record<string, { _id: string }>>([...writes], {
        ordered: true,
        ...within(timed),
      });
      return undefined;
    } catch (error) {
      return stopOf(error);
    }
  }
}

function outcomeOf(settled: PromiseSettledResult<Stop>): ItemOutcome<Stop> {
  return settled.status === 'fulfilled' ? { value: settled.value } : { error: settled.reason };
}

/** The position at which an ordered bulk write stopped. Throws `error` when the bulk write failed in any other way. */
function stopOf(error: unknown): Stop {
  if (!(error instanceof MongoClientBulkWriteError) || error.writeConcernErrors.length > 0) throw error;
  const [failed] = error.writeErrors;
  if (failed === undefined) throw error;
  const [position, { code }] = failed;
  return { position, code, error };
}
