import type { Bus } from '@action-platform/bus';
import {
  ActionError,
  describeOperation,
  describeTool,
  discover,
  discoveryQuery,
  type Operation,
} from '@action-platform/contracts';
import { LRUCache } from 'lru-cache';
import { versionOf } from '../dispatch/content-version.ts';
import { availableOperations } from '../dispatch/discovery.ts';
import type { Exchange } from '../dispatch/exchange.ts';
import type { RequestPipeline } from '../dispatch/pipeline.ts';
import { errorAnswer, type HttpAnswer, jsonAnswer } from '../http/http-answer.ts';

/** How many answers are cached: many callers have the same set of operations. */
const ANSWERS_KEPT = 64;

interface Needed {
  readonly pipeline: RequestPipeline;
  readonly bus: Bus;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/**
 * Lists the operations that a caller can execute now, as GET /api/v1/operations does. The text is made once for each set of
 * operations, and has a validator (RFC 9110, section 8.8.1).
 */
export function discoverOperations({ pipeline, bus, operations }: Needed) {
  const whole = listing('operations', operations, describeOperation);
  const tools = {
    session: listing('tools', operations, (operation) => describeTool(operation, 'interactive')),
    grant: listing('tools', operations, (operation) => describeTool(operation, 'scheduled')),
  };
  return async (exchange: Exchange, query: object): Promise<HttpAnswer> => {
    const answer = await pipeline.run(exchange, discover, async (caller) => {
      const available = await availableOperations(bus, exchange, caller);
      const asked = discoveryQuery.safeParse(query);
      if (!asked.success)
        throw new ActionError('invalid_request', { message: 'view: must be tools, or left out.' });
      return (asked.data.view === 'tools' ? tools[caller.credential.kind] : whole)(available);
    });
    return answer instanceof ActionError ? errorAnswer(answer, exchange.requestId, 'discovery') : answer;
  };
}

/** Lists operations under a name, each described in one way. */
function listing(
  name: string,
  operations: ReadonlyMap<string, Operation>,
  describe: (operation: Operation) => object,
): (ids: readonly string[]) => HttpAnswer {
  const described = new Map(
    [...operations.values()].map((operation) => [operation.id, JSON.stringify(describe(operation))]),
  );
  const answers = new LRUCache<string, HttpAnswer>({ max: ANSWERS_KEPT });
  const answerFor = (ids: readonly string[]): HttpAnswer => {
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
