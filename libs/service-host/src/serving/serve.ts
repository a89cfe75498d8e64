import { type BusHandler, type BusRequest, busHeaders } from '@action-platform/bus';
import type { Call } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { CALL_INPUT_MAX_BYTES } from '@action-platform/contracts/limits';
import { collectionNamesIn, type Operation } from '@action-platform/contracts/operations';
import type { MemberRoute, SessionClaims } from '@action-platform/contracts/resources';
import type { z } from 'zod';
import { requireOneMeaning, whenApproved } from './approval.ts';
import type { CallContext, MemberContext, Observer, OperationContext, Result } from './context.ts';
import { requireDataInScope } from './data-scope.ts';
import type { IncomingCall } from './incoming-call.ts';
import { type InputReader, inputReader } from './input.ts';
import { requireKnownMembers } from './known-members.ts';
import { identified } from './named-collections.ts';
import { type Host, respond } from './respond.ts';
import type { TextStream } from './text-stream.ts';

/** A call of the registry with the code that answers it. */
export interface ServedCall {
  readonly call: Call;
  readonly handler: (host: Host) => BusHandler;
}

/** The operation that a call is of, and its body as it was sent, or as it was approved. */
export interface CalledOperation<Called extends Operation> {
  readonly operation: Called;
  readonly body: Uint8Array;
}

/** The hooks of a service around the work of an operation. */
interface AroundOperation<Input, Called extends Operation> {
  /** Gets the outcome of each call, refusals before the handler included, before it is answered. */
  readonly observe?: Observer<Input>;
  /** Finds the operation of a call, where the declared one stands for many. The reader of its input is kept with the found object. */
  readonly find?: (request: BusRequest, context: OperationContext) => Promise<Called>;
}

/**
 * Binds an operation to its handler. Before the handler runs, the body has been read and validated with the schema of the operation, ids
 * have taken the places of the names of Collections, and the data is within the scope of the grant in use. A rule of its Workspace may
 * have held the call for approval.
 */
export function serveOperation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Called extends Operation = Operation,
>(
  operation: Operation<Input, Output>,
  run: (
    input: z.output<Input>,
    context: OperationContext,
    called: CalledOperation<Called>,
  ) => Promise<Result<z.output<Output>> | TextStream>,
  { observe, find }: AroundOperation<z.output<Input>, Called> = {},
): ServedCall {
  const readers = new WeakMap<Operation, InputReader<z.output<Input>>>();
  const readerOf = (called: Operation) =>
    readers.getOrInsertComputed(called, ({ input }) => inputReader(input) as InputReader<z.output<Input>>);
  return served(
    operation,
    async (request, incoming, host) => {
      const called = find === undefined ? operation : await find(request, incoming);
      incoming.called = called;
      const read = readerOf(called);
      let { body } = request;
      let sent = await read(body, {
        call: incoming,
        key: request.header(busHeaders.idempotencyKey),
        isKeyRequired: request.header(busHeaders.keyRequired) === 'true',
      });
      if (incoming.isSubjectToApproval) requireOneMeaning(sent);
      const names = called.dataScope?.kind === 'collectionIds' ? collectionNamesIn(sent) : undefined;
      if (names !== undefined)
        ({ input: sent, body } = await identified({ input: sent, body }, names, incoming, host));
      incoming.input = sent;
      incoming.granted = await requireDataInScope(called, sent, host, incoming);
      const execute = (input: typeof sent, body: Uint8Array, approvalId?: string) => {
        incoming.approvalId = approvalId;
        incoming.begin(called.effect);
        return run(input, incoming, { operation: called as Called, body });
      };
      return await (incoming.isSubjectToApproval
        ? whenApproved(
            { operation: called, input: sent, body, read, rules: incoming.conditionalRules },
            incoming,
            host.bus,
            execute,
          )
        : execute(sent, body));
    },
    observe as Observer | undefined,
  );
}

/**
 * Binds a route for Members to its handler. The Member is found before the input is read, so a caller who is no Member gets that refusal
 * for every input.
 *
 * @param findMember returns the service's data of the Member; throws ActionError for a user who is no Member.
 */
export function serveMemberRoute<Member, Input extends z.ZodObject, Output extends z.ZodType>(
  route: MemberRoute<Input, Output>,
  findMember: (session: SessionClaims, context: CallContext) => Promise<Member>,
  run: (
    input: z.output<Input>,
    context: MemberContext,
    member: Member,
  ) => Promise<z.output<Output> | TextStream>,
): ServedCall {
  const readInput = inputReader(route.input);
  return served(route, async (request, incoming) => {
    const member = await findMember(incoming.session, incoming);
    const input = await readInput(request.body, {
      call: incoming,
      key: request.header(busHeaders.idempotencyKey),
      path: incoming.path,
    });
    incoming.input = input;
    incoming.begin(route.effect);
    return await run(input, incoming, member);
  });
}

/** Binds a call of another service, or of an operator, to its handler; the body has been read and validated before it runs. */
export function serveCall<Input extends z.ZodObject, Output extends z.ZodType>(
  call: Call<Input, Output>,
  run: (input: z.output<Input>, context: CallContext) => Promise<z.output<Output>>,
): ServedCall {
  const readInput = inputReader(call.input);
  const isForOperators = call.audience === 'operator';
  // Grants checks them itself.
  const mustNameMembers = isForOperators && call.service !== 'grants';
  const mostBytes = isForOperators ? Number.POSITIVE_INFINITY : CALL_INPUT_MAX_BYTES;
  return served(call, async ({ body }, incoming, { bus }) => {
    if (body.length > mostBytes) throw new ActionError('request_body_too_large');
    const input = await readInput(body, { call: incoming });
    incoming.input = input;
    if (mustNameMembers) await requireKnownMembers(bus, input, incoming);
    incoming.begin(call.effect);
    return await run(input, incoming);
  });
}

function served(
  call: Call,
  work: (request: BusRequest, incoming: IncomingCall, host: Host) => Promise<unknown>,
  observe?: Observer,
): ServedCall {
  const handler = (host: Host): BusHandler => {
    return (request) => respond(request, host, call, (incoming) => work(request, incoming, host), observe);
  };
  return { call, handler };
}
