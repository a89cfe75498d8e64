import type { Bus } from '@action-platform/bus';
import {
  ActionError,
  describeOperation,
  describeTool,
  discover,
  discoveryQuery,
  type FunctionTool,
  type Granted,
  grantedParameters,
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
 * operations and each scope, and has a validator (RFC 9110, section 8.8.1).
 */
export function discoverOperations({ pipeline, bus, operations }: Needed) {
  const whole = listing('operations', operations, describeOperation);
  const tools = {
    session: listing('tools', operations, (operation) => describeTool(operation, 'interactive')),
    grant: listing('tools', operations, toolOfGrant()),
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

/** Describes an operation as a tool for the holder of a grant. */
function toolOfGrant() {
  const known = new Map<Operation, FunctionTool>();
  return (operation: Operation, granted: Granted): FunctionTool => {
    const tool = known.get(operation) ?? describeTool(operation, 'scheduled');
    known.set(operation, tool);
    return { ...tool, parameters: grantedParameters(tool.parameters, operation, granted) };
  };
}

/** Lists operations under a name, each described in one way. */
function listing(
  name: string,
  operations: ReadonlyMap<string, Operation>,
  describe: (operation: Operation, granted: Granted) => object,
): (granted: Granted) => HttpAnswer {
  const answers = new LRUCache<string, HttpAnswer>({ max: ANSWERS_KEPT });
  const answerFor = (granted: Granted): HttpAnswer => {
    const known = granted.operations.map((id) => operations.get(id)).filter((found) => found !== undefined);
    const listed = known.map((operation) => describe(operation, granted));
    const answer = jsonAnswer(JSON.stringify({ [name]: listed }));
    return { ...answer, headers: { ...answer.headers, ETag: `W/"${versionOf(answer.body)}"` } };
  };
  return (granted) => {
    const key = JSON.stringify(granted);
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = answerFor(granted);
      answers.set(key, answer);
    }
    return answer;
  };
}
