import { operatorCalls } from '@action-platform/contracts';
import type { Logger } from '../logging/logger.ts';
import type { Observer } from './context.ts';

/** What is noted of an operator's call: whom and what it was about. Names, addresses and paths stay out of the log. */
const NOTED = ['workspace', 'user', 'role', 'force', 'app', 'grant', 'sender', 'bytes'];

const commandOf = new Map(operatorCalls.map(({ subject, command }) => [subject, command.name]));

/**
 * Writes a line for everything that operators do, refused or not: who they say they are, the command, whom it was about.
 * The NATS server vouches that it came with the operators' key, and for nothing more.
 */
export function logOperators(log: Logger): Observer {
  return ({ name, operator, requestId, input, error, durationMs }) => {
    const command = commandOf.get(name);
    if (command === undefined) return;
    const given = (input ?? {}) as Readonly<Record<string, unknown>>;
    const about = Object.fromEntries(
      NOTED.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
    );
    log.info(
      {
        command,
        operator,
        ...about,
        request_id: requestId,
        code: error?.code,
        duration_ms: Math.round(durationMs),
      },
      error === undefined ? 'operator' : 'operator refused',
    );
  };
}
