import type { NatsConnection } from '@nats-io/transport-node';
import type { Inbox, Receiver } from '../inbox.ts';
import { type Incoming, saysNobodyIsThere } from '../incoming.ts';
import { parsed } from '../parsed.ts';

/** After how long nobody waits for a replica any more that does not answer, in milliseconds: longer than for what it was asked. */
const PATIENCE_MS = 60_000;

/**
 * Asks replicas which questions they have, and tells those that none of them has.
 *
 * @param asked the questions, by the subject on which the answer to each is wanted; one may have several.
 * @param replicas the subjects of those that are asked.
 * @returns what ends that, whoever has answered.
 */
export function callRoll(
  nc: NatsConnection,
  inbox: Inbox,
  asked: ReadonlyMap<string, Receiver>,
  replicas: readonly string[],
): () => void {
  const missing = new Set(asked.values());
  const silent = new Set(replicas.keys());
  const end = () => {
    clearTimeout(timer);
    inbox.close(subject);
  };
  const settle = () => {
    if (silent.size > 0) return;
    end();
    for (const question of missing) question.replicaGone?.();
  };
  const receiver: Receiver = {
    receive: (message: Incoming) => {
      // One that is gone, too, has none of them.
      const has = saysNobodyIsThere(message) ? [] : parsed(message.data);
      if (!Array.isArray(has)) return;
      for (const reply of has) missing.delete(asked.get(reply)!);
      silent.delete(Number(message.subject.slice(subject.length + 1)));
      settle();
    },
    lost: end,
  };
  const subject = inbox.open(receiver);
  const timer = setTimeout(end, PATIENCE_MS).unref();
  const body = JSON.stringify([...asked.keys()]);
  if (missing.size > 0) {
    for (const [index, replica] of replicas.entries()) {
      nc.publish(replica, body, { reply: `${subject}.${index}` });
    }
  }
  if (missing.size === 0) end();
  else settle();
  return end;
}

/** What a replica answers when the roll is called: those of the questions that it has. Nothing when somebody only knocks. */
export function answerRollCall(body: Uint8Array, has: (replyTo: string) => boolean): string | undefined {
  const asked = body.length > 0 ? parsed(body) : undefined;
  if (!Array.isArray(asked)) return undefined;
  return JSON.stringify(asked.filter((replyTo) => has(replyTo)));
}
