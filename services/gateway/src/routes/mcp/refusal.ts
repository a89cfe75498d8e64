import type { Bus } from '@action-platform/bus';
import {
  type ActionError,
  mcpMetadataRoutes,
  type Operation,
  placeOfTool,
  toolName,
} from '@action-platform/contracts';
import type { McpSignIn } from '../../dependencies.ts';
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
  readonly mcpSignIn: McpSignIn | undefined;
}

/** Writes refusals in the forms of this protocol. */
export function refusals({ bus, config: { PUBLIC_URL: baseUrl }, mcpSignIn }: Needed) {
  const metadataUrl = mcpSignIn && `${baseUrl}${mcpMetadataRoutes.ofResource.path}`;
  const unread = (refusal: ActionError, { requestId }: Exchange): HttpAnswer => {
    const answer = errorAnswer(refusal, requestId, 'mcp', baseUrl);
    if (refusal.status !== 401) return answer;
    return {
      ...answer,
      headers: { ...answer.headers, 'WWW-Authenticate': challenge(refusal, metadataUrl) },
    };
  };
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

/** The challenge of a 401 (RFC 6750, section 3; RFC 9728, section 5.1). It names an error only when a token came. */
function challenge({ code }: ActionError, metadataUrl: string | undefined): string {
  const parameters = [
    ...(code === 'authentication_required' ? [] : ['error="invalid_token"']),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return ['Bearer', parameters.join(', ')].join(' ').trim();
}
