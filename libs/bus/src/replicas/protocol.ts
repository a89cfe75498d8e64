/*
 * The questions of a caller to one replica of a service, on the replica's own subject.
 *
 *   ask        body                            the replica (`Self`)
 *   ping       empty                           stays silent; for a dead one the NATS server answers "no responders"
 *   reconcile  a list of reply subjects        answers with those of requests that it works on
 *   redeliver  {"redeliver": a reply subject}  answers the request with that reply subject anew, on the question's own
 *
 * The version before sends and reads these bodies, so a body has no `ask`: `questionIn` adds it.
 */
import { replicaSubject } from '@action-platform/contracts/bus';
import type { ServiceName } from '@action-platform/contracts/services';
import { z } from 'zod';
import type { Connection } from '../nats/connection.ts';
import { parsed } from '../wire/parsed.ts';
import type { ReplyTo } from '../wire/reply-to.ts';

/** A question to a replica. */
export type Question =
  | { readonly ask: 'ping' }
  | { readonly ask: 'reconcile'; readonly replies: readonly string[] }
  | { readonly ask: 'redeliver'; readonly reply: string };

const replySubjects = z.array(z.string());

const question = z.union([
  z.literal('').transform((): Question => ({ ask: 'ping' })),
  replySubjects.transform((replies): Question => ({ ask: 'reconcile', replies })),
  z
    .object({ redeliver: z.string() })
    .transform(({ redeliver }): Question => ({ ask: 'redeliver', reply: redeliver })),
]);

/** Reads a question; undefined for any other message. */
export function questionIn(body: Uint8Array): Question | undefined {
  return question.safeParse(body.length === 0 ? '' : parsed(body)).data;
}

/** Asks a replica. @param reply takes its answer */
export function askReplica(
  connection: Connection,
  service: ServiceName,
  replica: string,
  question: Question,
  reply: ReplyTo,
): void {
  connection.publish(replicaSubject(service, replica), bodyOf(question), { reply });
}

function bodyOf(question: Question): string {
  if (question.ask === 'ping') return '';
  return JSON.stringify(question.ask === 'reconcile' ? question.replies : { redeliver: question.reply });
}

/** Reads the answer to `reconcile`: the reply subjects of the requests that the replica works on; undefined for any other message. */
export function reconciledIn(body: Uint8Array): readonly string[] | undefined {
  return replySubjects.safeParse(parsed(body)).data;
}
