import type { Bus } from '@action-platform/bus';
import { type ActionError, type Operation, placeOfTool, toolName } from '@action-platform/contracts';
import { availableOperations } from '../../dispatch/discovery.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import type { Caller } from '../../dispatch/pipeline.ts';
import { errorAnswer, type HttpAnswer } from '../../http/http-answer.ts';
import { rpcError } from './rpc.ts';

/** The step of a grant that a next step sends to a tool outside its list. */
const ASK_MEMBER =
  'Ask the Member whose grant this is: the step that helps needs a tool that the grant does not allow.';

const toolNames = /\b[a-z]+(?:_[a-z]+)*__[a-z]+(?:_[a-z]+)*\b/g;

interface Needed {
  readonly bus: Bus;
  readonly config: { readonly PUBLIC_URL?: string | undefined };
}

/** Writes refusals in the forms of this protocol. */
export function refusals({ bus, config: { PUBLIC_URL: baseUrl } }: Needed) {
  const unread = (refusal: ActionError, { requestId }: Exchange): HttpAnswer =>
    errorAnswer(refusal, requestId, 'mcp', baseUrl);
  const envelope = (refusal: ActionError, { requestId }: Exchange) =>
    refusal.toEnvelope(requestId, 'mcp', baseUrl);
  return {
    /** The error envelope of a refusal. */
    envelope,

    /** The refusal of a request whose message was not read: an ordinary HTTP answer. */
    unread,

    /** The refusal of a message other than the call of a tool: its HTTP status, with the envelope in a JSON-RPC error. */
    message: (refusal: ActionError, exchange: Exchange, id: string): HttpAnswer => {
      const { status: code, message } = refusal;
      const body = rpcError(id, { code, message, data: envelope(refusal, exchange) });
      return { ...unread(refusal, exchange), body: Buffer.from(body) };
    },

    /**
     * The envelope of a refused call of a tool. Its next step names only tools that the caller can call: a grant may have fewer
     * than its Member, so grants is asked again.
     */
    call: async (refusal: ActionError, exchange: Exchange, caller: Caller, operation: Operation) => {
      const { error } = refusal.toEnvelope(exchange.requestId, placeOfTool(operation), baseUrl);
      const named = caller.credential.kind === 'grant' ? (error.next.match(toolNames) ?? []) : [];
      if (named.length === 0) return { error };
      const available = await availableOperations(bus, exchange, caller).catch(() => []);
      const listed = new Set(available.map(toolName));
      return named.every((name) => listed.has(name)) ? { error } : { error: { ...error, next: ASK_MEMBER } };
    },
  };
}
