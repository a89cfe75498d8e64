import type { Survey } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Inbox, Receiver } from './inbox.ts';
import { parsed } from './parsed.ts';

/** How long a survey waits for answers. */
export interface SurveyOptions<Answer> {
  /** The longest, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether everybody has answered who is expected to. */
  readonly isComplete: (answers: readonly Answer[]) => boolean;
}

/**
 * Asks every replica that hears a survey, and resolves with what they have answered when that is complete, the time is up, or the connection is
 * broken. An answer that is not what the survey declares is left out, as if its sender had said nothing.
 */
export async function ask<Answer extends z.ZodObject>(
  nc: NatsConnection,
  inbox: Inbox,
  { subject, answer }: Survey<Answer>,
  { timeoutMs, isComplete }: SurveyOptions<z.output<Answer>>,
): Promise<z.output<Answer>[]> {
  const answers: z.output<Answer>[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const receiver: Receiver = {
    receive: ({ data }) => {
      const told = answer.safeParse(parsed(data));
      if (told.success) answers.push(told.data);
      if (isComplete(answers)) resolve();
    },
    lost: resolve,
  };
  const reply = inbox.open(receiver);
  const timer = setTimeout(resolve, timeoutMs);
  try {
    if (!inbox.connected) resolve();
    else nc.publish(subject, '{}', { reply });
    await promise;
  } finally {
    clearTimeout(timer);
    inbox.close(reply);
  }
  return answers;
}
