import { type BusHandler, type BusRequest, busHeaders } from '@action-platform/bus';
import { ActionError, CALL_INPUT_MAX_BYTES, type Call, type SessionClaims } from '@action-platform/contracts';
import type { z } from 'zod';
import type { CallContext, MemberCallContext } from './context.ts';
import type { IncomingCall } from './incoming-call.ts';
import { inputReader } from './input.ts';
import { requireKnownMembers } from './known-members.ts';
import { type Host, respond } from './respond.ts';

/** A call of the registry with the code that answers it. */
export interface ServedCall {
  readonly call: Call;
  readonly handler: (host: Host) => BusHandler;
}

/** Binds a call of the registry to its handler; the body has been read and validated before it runs. */
export function serveCall<Input extends z.ZodObject, Output extends z.ZodType>(
  call: Call<Input, Output>,
  run: (input: z.output<Input>, context: CallContext) => Promise<z.output<Output>>,
): ServedCall {
  const readInput = inputReader(call.input);
  // Grants checks them itself.
  const isAboutOthers = call.command !== undefined && call.service !== 'grants';
  const mostBytes = call.command === undefined ? CALL_INPUT_MAX_BYTES : Number.POSITIVE_INFINITY;
  return served(call, async ({ body }, incoming, { bus }) => {
    if (body.length > mostBytes) throw new ActionError('request_body_too_large');
    const input = await readInput(body);
    incoming.input = input;
    if (isAboutOthers) await requireKnownMembers(bus, input, incoming);
    incoming.begin(call.effect);
    return await run(input, incoming);
  });
}

/**
 * Binds a call that the gateway makes for a signed-in Member. The Member is found before the input is read, so a caller who is no Member
 * gets that refusal for every input.
 *
 * @param findMember returns the service's data of the Member; throws ActionError for a user who is no Member.
 */
export function serveMemberCall<Member, Input extends z.ZodObject, Output extends z.ZodType>(
  call: Call<Input, Output>,
  findMember: (session: SessionClaims, context: CallContext) => Promise<Member>,
  run: (input: z.output<Input>, context: MemberCallContext<Member>) => Promise<z.output<Output>>,
): ServedCall {
  const readInput = inputReader(call.input);
  return served(call, async (request, incoming) => {
    const { session } = incoming;
    if (session === undefined) throw new ActionError('action_platform_unavailable');
    const member = await findMember(session, incoming);
    const input = await readInput(request.body, {
      key: request.header(busHeaders.idempotencyKey),
      pathId: incoming.pathId,
    });
    incoming.input = input;
    incoming.begin(call.effect);
    return await run(input, Object.assign(incoming, { session, member }));
  });
}

function served(
  call: Call,
  work: (request: BusRequest, incoming: IncomingCall, host: Host) => Promise<unknown>,
): ServedCall {
  const place = call.isMemberRoute ? 'member_route' : 'operation';
  const declared = { name: call.subject, effect: call.effect, place, targets: call.targets } as const;
  const handler = (host: Host): BusHandler => {
    return (request) => respond(request, host, declared, (incoming) => work(request, incoming, host));
  };
  return { call, handler };
}
