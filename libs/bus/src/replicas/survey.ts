import { type Survey, type SurveyAnswer, surveyEvent } from '@action-platform/contracts/bus';
import type { z } from 'zod';
import type { Connection } from '../nats/connection.ts';
import { parsed } from '../wire/parsed.ts';
import { numbered } from '../wire/reply-to.ts';

/** The question of a survey, and how long it waits for answers. */
export interface SurveyOptions<Answer> {
  /** By default nothing but the survey itself. */
  readonly question?: object;
  /** The longest, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether every expected replica has answered. */
  readonly isComplete: (answers: readonly Answer[]) => boolean;
}

/**
 * Asks every replica of a survey. Resolves with their answers when these are complete, the time is up, or the connection breaks.
 * Drops an answer that does not match the survey's declaration, or that names another service than its sender's.
 */
export async function askAll<Answer extends SurveyAnswer>(
  connection: Connection,
  survey: Survey<Answer>,
  { question = {}, timeoutMs, isComplete }: SurveyOptions<z.output<Answer>>,
): Promise<z.output<Answer>[]> {
  const answers: z.output<Answer>[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const reply = connection.open({
    receive: ({ subject, data }) => {
      // Only the service that received this reply subject may publish there.
      const service = survey.subscribers[Number(subject.slice(reply.length + 1))];
      const answer = survey.answer.safeParse(parsed(data)).data;
      if (answer === undefined || answer.service !== service) return;
      answers.push(answer);
      if (isComplete(answers)) resolve();
    },
    lost: resolve,
  });
  const timer = setTimeout(resolve, timeoutMs);
  try {
    if (!connection.isConnected) resolve();
    for (const [index, service] of survey.subscribers.entries()) {
      const { subject } = surveyEvent(survey, service);
      connection.publish(subject, JSON.stringify(question), { reply: numbered(reply, index) });
    }
    await promise;
  } finally {
    clearTimeout(timer);
    connection.close(reply);
  }
  return answers;
}
