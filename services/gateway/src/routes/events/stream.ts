import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@action-platform/contracts/authority';
import { ActionError } from '@action-platform/contracts/errors';
import { feedOf, listEvents } from '@action-platform/contracts/operations';
import { EVENT_STREAM } from '@action-platform/contracts/resources';
import type { Request } from 'express';
import type { Dependencies } from '../../dependencies.ts';
import { arrivedBody } from '../../dispatch/body.ts';
import { type Exchange, whenEnded } from '../../dispatch/exchange.ts';
import type { ServiceAnswer } from '../../dispatch/service-request.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { headerProblemOf, invocationIdOf } from '../../http/request-headers.ts';
import { runBatch } from './batch.ts';
import { type EventPage, eventsText, RETRY } from './server-sent-events.ts';

/** The most events of a batch: most batches fit one message of the bus. */
const BATCH_EVENTS = 64;
/** The longest pause of a stream, in milliseconds. After it the stream reads with authority of its own, and sends its cursor. */
const PAUSE_MS = 15_000;
/** A comment, so that no proxy takes the connection for a dead one. */
const BUSY = ': busy\n\n';

/** The content of a batch. */
interface Sent {
  readonly workspaceId: string;
  readonly end: number | undefined;
}

/**
 * A connection that follows change events. Each batch is a call of events.list_events with all that belongs to one: authority, admission
 * and its bytes, until the client has taken it. Between batches a stream costs its connection alone.
 */
export class EventStream {
  readonly #dependencies: Dependencies;
  readonly #response: ApiResponse;
  readonly #exchange: Exchange;
  readonly #invocationId: string | undefined;
  readonly #problem: ActionError | undefined;
  /** The input of events.list_events. */
  readonly #filters: object;
  #cursor: unknown;

  constructor(dependencies: Dependencies, request: Request, response: ApiResponse) {
    const { headers, query } = request;
    this.#dependencies = dependencies;
    this.#response = response;
    this.#exchange = response.locals.exchange;
    this.#invocationId = invocationIdOf(request);
    this.#problem = headerProblemOf(request);
    const { cursor, types, collection_ids, ...others } = query;
    this.#filters = {
      types: valuesOf(types),
      collection_ids: valuesOf(collection_ids),
      limit: BATCH_EVENTS,
      // The service refuses them by name.
      ...others,
    };
    this.#cursor = headers['last-event-id'] || cursor;
  }

  /** Sends batches until the client closes the connection, this gateway stops, or the caller is refused; returns the refusal. */
  async run(): Promise<ActionError | undefined> {
    const { config, leaving } = this.#dependencies;
    const deadlineMs = config.REQUEST_DEADLINE_MS;
    for (let isFirst = true; ; isFirst = false) {
      const askedAt = performance.now();
      const outcome = await runBatch(this.#exchange, { isFirst, deadlineMs }, (batch) => this.#send(batch));
      if (outcome instanceof ActionError) {
        if (isFirst || outcome.status !== 503) return this.#refused(outcome);
        await this.#write(BUSY);
        const signal = AbortSignal.any([this.#exchange.ended, leaving]);
        await delay((outcome.retryAfter ?? 1) * 1000, undefined, { signal }).catch(() => {});
      }
      if (this.#response.closed || this.#response.req.method === 'HEAD') return undefined;
      if (!(outcome instanceof ActionError)) await this.#pause(outcome, askedAt);
      if (this.#response.closed || leaving.aborted) return undefined;
    }
  }

  /** Reads the next batch, and sends it. */
  async #send(batch: Exchange): Promise<ActionError | Sent> {
    const input = JSON.stringify({ ...this.#filters, cursor: this.#cursor });
    const { calls, operations } = this.#dependencies;
    const answer = await calls.handle(batch, {
      id: listEvents.id,
      called: operations.get(listEvents.id),
      invocationId: this.#invocationId,
      problem: this.#problem,
      body: arrivedBody(Buffer.from(input)),
    });
    if (answer instanceof ActionError) return answer;
    const page = await pageOf(answer);
    const { workspaceId } = JSON.parse(batch.context.principal!) as Principal;
    const cursorAt = (position: string) => this.#dependencies.cursors.at(feedOf(workspaceId), position);
    await this.#write(eventsText(page, answer.feed!, cursorAt));
    this.#cursor = page.next_cursor;
    return { workspaceId, end: answer.feed!.end };
  }

  /** Waits until there may be more to send. */
  async #pause({ workspaceId, end }: Sent, askedAt: number): Promise<void> {
    if (end === undefined) return;
    await this.#dependencies.notifier.after({ workspaceId, end, askedAt }, PAUSE_MS, this.#exchange.ended);
  }

  #refused(refusal: ActionError): ActionError {
    this.#exchange.context.error = refusal;
    return refusal;
  }

  /** Resolves once the client has taken the text, or has left. */
  async #write(text: string): Promise<void> {
    const response = this.#response;
    const { ended } = this.#exchange;
    if (ended.aborted) return;
    const start = response.headersSent ? '' : this.#begin();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    ended.addEventListener('abort', resolve);
    response.write(start + text, resolve);
    await promise;
    ended.removeEventListener('abort', resolve);
  }

  #begin(): string {
    const { context } = this.#exchange;
    context.isStream = true;
    const begunAt = performance.now();
    // The duration of this request is that until its answer began.
    whenEnded(this.#exchange, () => {
      context.waitedMs = performance.now() - begunAt;
    });
    this.#response.statusCode = 200;
    this.#response.setHeader('Content-Type', EVENT_STREAM);
    // A buffering proxy would keep events back.
    this.#response.setHeader('X-Accel-Buffering', 'no');
    return RETRY;
  }
}

/** A parameter with items separated by commas, also one that is repeated. */
function valuesOf(parameter: unknown): string[] | undefined {
  if (parameter === undefined) return undefined;
  return [parameter].flat().flatMap((items) => (items === '' ? [] : String(items).split(',')));
}

async function pageOf({ body, more = (async function* () {})() }: ServiceAnswer): Promise<EventPage> {
  const chunks: Uint8Array[] = [body];
  for await (const chunk of more) chunks.push(chunk);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { result: EventPage }).result;
}
