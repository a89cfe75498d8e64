/*
 * Packs: how questions of one moment travel together, and their answers.
 *
 * What a message costs is hardly its bytes: it is written, routed, read, and wakes somebody, once for each. So the questions that are asked
 * on one subject within a turn of the event loop leave at its end in one message, a pack, and go to one replica. A question alone leaves as
 * it is, no later.
 *
 * 1. A pack is a message with the header `pack`. It begins with a line of JSON: for each question the subject on which its answer is
 *    wanted, its headers, and the length of its body. The bodies follow. The pack's own reply subject P is where answers go.
 * 2. Who takes a pack takes the questions in it, each as if it had come by itself: with its deadline, its party, its place in its trace, its
 *    turn. It is withdrawn, asked for when the roll is called, and owed (`replicas/`) by the subject on which its answer is wanted.
 * 3. What is answered within a turn goes to P as a pack of the same form. So nobody waits for the slowest: there are as many of them as it
 *    takes, each question is answered in one. A long answer comes by itself; the reply subject of its pack is where demands go.
 *
 * What a pack that is lost leaves. What so many messages would that are lost: P means nothing to anybody but the questions themselves, and each of
 * them waits, is asked again or fails as it would alone. Who asks again asks alone.
 *
 * Who takes packs. A replica says so with every word on itself (`replicaEvent`). Packs are sent while every known replica of a service says
 * it, so a version that does not know them gets none. When one gets a pack all the same, because nobody had heard of it yet, it cannot read
 * it, and answers something that is no pack. Then the questions in it are treated as those of a replica that is gone.
 *
 * Whom to trust. An answer in a pack is believed when its question went out in the pack that it answers. A question in a pack
 * is taken when its answer is wanted in the inbox that the pack's own is.
 */
import { busHeaders } from '@action-platform/contracts';
import { z } from 'zod';
import { headerTexts, toMessageHeaders } from '../headers.ts';
import type { Incoming, IncomingHeaders } from '../incoming.ts';
import { parsed } from '../parsed.ts';

/** How many questions go together at most. */
export const MOST_IN_A_PACK = 32;

/** How many bytes go together at most: every message may be that large (`largestMessageBytes`). */
const PACK_BYTES = 64 * 1024;

/** How many bytes a body has at most that goes with others: of a larger one the bytes cost more than the message. */
export const PACKABLE_BYTES = 16 * 1024;

/** The headers of a pack. */
export const packHeaders = toMessageHeaders({ [busHeaders.pack]: 'true' });

const NEWLINE = 0x0a;

/** A question or an answer as it is in a pack. */
export interface Packed {
  /** Its entry in the line at the beginning. */
  readonly entry: string;
  readonly body: Uint8Array;
}

const line = z
  .array(z.tuple([z.string(), z.record(z.string(), z.string()), z.int().nonnegative()]))
  .min(1)
  .max(MOST_IN_A_PACK);

/** @param subject where the answer is wanted. */
export function toPacked(
  subject: string,
  headers: Readonly<Record<string, string>>,
  content: Uint8Array | string,
): Packed {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  return { entry: JSON.stringify([subject, headerTexts(headers), body.length]), body };
}

/** The packs that it takes, and what is in each. There is one at least in each, however large it is. */
export function inPacks<Each extends Packed>(all: readonly Each[]): Each[][] {
  const packs: Each[][] = [];
  let room = 0;
  for (const each of all) {
    const bytes = Buffer.byteLength(each.entry) + each.body.length + 2;
    const last = packs.at(-1);
    room -= bytes;
    if (last !== undefined && last.length < MOST_IN_A_PACK && room >= 0) {
      last.push(each);
    } else {
      packs.push([each]);
      room = PACK_BYTES - bytes;
    }
  }
  return packs;
}

/** The message of a pack. */
export function packOf(items: readonly Packed[]): Uint8Array {
  const entries = items.map(({ entry }) => entry);
  return Buffer.concat([Buffer.from(`[${entries}]\n`), ...items.map(({ body }) => body)]);
}

/** Whether a message says that it is a pack. */
export function isPack({ headers }: Incoming): boolean {
  return headers?.has(busHeaders.pack) === true;
}

/** What is in a pack, each on the subject where its answer is wanted; undefined for a message that is none. */
export function unpacked(message: Incoming): Incoming[] | undefined {
  if (!isPack(message)) return undefined;
  const { data, reply } = message;
  const lineEnd = data.indexOf(NEWLINE);
  if (lineEnd < 0 || lineEnd > PACK_BYTES) return undefined;
  const entries = line.safeParse(parsed(data.subarray(0, lineEnd))).data;
  if (entries === undefined) return undefined;
  let at = lineEnd + 1;
  const items = entries.map(([subject, values, length]) => {
    const body = data.subarray(at, at + length);
    at += length;
    return {
      subject,
      headers: new PackedHeaders(values),
      data: body,
      ...(entries.length === 1 && reply !== undefined && { reply }),
    };
  });
  return at === data.length ? items : undefined;
}

/** The headers of what came in a pack. */
class PackedHeaders implements IncomingHeaders {
  readonly code = 0;
  readonly #values: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = values;
  }

  get(name: string): string {
    return this.has(name) ? this.#values[name]! : '';
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }
}
