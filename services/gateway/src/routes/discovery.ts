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
import type { Dependencies } from '../dependencies.ts';
import { availableOperations } from '../dispatch/authority.ts';
import type { Exchange } from '../dispatch/exchange.ts';
import { errorAnswer, type HttpAnswer, jsonAnswer } from '../http/answers/http-answer.ts';
import { versionOf } from '../http/answers/static-file.ts';

/** How many answers are cached: many callers have the same set of operations. */
const ANSWERS_KEPT = 64;

/**
 * Lists the operations that a caller can execute now, as GET /api/v1/operations does. The text is made once for each set of
 * operations and each scope, and has a validator (RFC 9110, section 8.8.1).
 */
export function discoverOperations({
  admission,
  bus,
  operations,
}: Pick<Dependencies, 'admission' | 'bus' | 'operations'>) {
  const whole = listing('operations', operations, describeOperation);
  const tools = {
    session: listing('tools', operations, (operation) => describeTool(operation, 'interactive')),
    grant: listing('tools', operations, toolOfGrant()),
  };
  return async (exchange: Exchange, query: object): Promise<HttpAnswer> => {
    const answer = await admission.run(exchange, discover, async (caller) => {
      const available = await availableOperations(bus, exchange, caller);
      const parsed = discoveryQuery.safeParse(query);
      if (!parsed.success)
        throw new ActionError('invalid_request', { message: 'view: must be tools, or left out.' });
      return (parsed.data.view === 'tools' ? tools[caller.credential.kind] : whole)(available);
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
