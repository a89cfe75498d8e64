import { type Bus, callService } from '@action-platform/bus';
import {
  ActionError,
  describeOperation,
  describeTool,
  discover,
  discoveryQuery,
  type Operation,
} from '@action-platform/contracts';
import { LRUCache } from 'lru-cache';
import { type Answer, jsonAnswer } from './answer.ts';
import { askOptions } from './ask.ts';
import { versionOf } from './content-version.ts';
import type { Exchange } from './exchange.ts';
import type { RequestPipeline } from './pipeline.ts';

/** How many answers are cached: many callers have the same set of operations. */
const ANSWERS_KEPT = 64;

interface Needed {
  readonly pipeline: RequestPipeline;
  readonly bus: Bus;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/**
 * Lists the operations that a caller can execute now, which grants determines for every call. The text is made once for each set
 * of operations, and has a validator (RFC 9110, section 8.8.1).
 */
export function discoverOperations({ pipeline, bus, operations }: Needed) {
  const whole = listing('operations', operations, describeOperation);
  const tools = {
    session: listing('tools', operations, (operation) => describeTool(operation, 'interactive')),
    grant: listing('tools', operations, (operation) => describeTool(operation, 'scheduled')),
  };
  return (exchange: Exchange, query: object): Promise<Answer> =>
    pipeline.run(
      exchange,
      { place: 'discovery', effect: 'read', service: discover.service },
      async (caller) => {
        const { credential } = caller;
        const options = askOptions(exchange, caller, discover);
        const available = await callService(bus, discover, { credential }, options);
        const asked = discoveryQuery.safeParse(query);
        if (!asked.success)
          throw new ActionError('invalid_request', { message: 'view: must be tools, or left out.' });
        const { view } = asked.data;
        return (view === 'tools' ? tools[credential.kind] : whole)(available.operations);
      },
    );
}

/** Lists operations under a name, each described in one way. */
function listing(
  name: string,
  operations: ReadonlyMap<string, Operation>,
  describe: (operation: Operation) => object,
): (ids: readonly string[]) => Answer {
  const described = new Map(
    [...operations.values()].map((operation) => [operation.id, JSON.stringify(describe(operation))]),
  );
  const answers = new LRUCache<string, Answer>({ max: ANSWERS_KEPT });
  const answerFor = (ids: readonly string[]): Answer => {
    const listed = ids.map((id) => described.get(id)).filter((text) => text !== undefined);
    const answer = jsonAnswer(`{"${name}":[${listed.join(',')}]}`);
    return { ...answer, headers: { ...answer.headers, ETag: `W/"${versionOf(answer.body)}"` } };
  };
  return (ids) => {
    const key = ids.join();
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = answerFor(ids);
      answers.set(key, answer);
    }
    return answer;
  };
}
