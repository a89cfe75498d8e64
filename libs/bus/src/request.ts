import { ActionError } from '@action-platform/contracts';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { busHeaders, toMessageHeaders } from './headers.ts';
import type { Inbox, Receiver } from './inbox.ts';

/** What goes with a request. */
export interface BusRequestOptions {
  /** How long to wait for the answer to begin, in milliseconds. */
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request once and resolves with the message that answers it. Rejects with ActionError as
 * `Bus.request` says.
 */
export function sendRequest(
  nc: NatsConnection,
  inbox: Inbox,
  subject: string,
  body: Uint8Array | string,
  options: BusRequestOptions,
): Promise<Msg> {
  return new Promise((resolve, reject) => {
    if (!inbox.connected) throw new ActionError('action_platform_unavailable');
    const request = new PendingRequest(inbox, resolve, reject);
    try {
      publishRequest(nc, subject, body, request.replyTo, options.headers, options.timeoutMs);
    } catch (error) {
      request.close();
      throw error;
    }
    request.waitAtMost(options.timeoutMs);
  });
}

/** A request that was sent and has no answer yet. */
class PendingRequest implements Receiver {
  readonly replyTo: string;
  readonly #inbox: Inbox;
  readonly #resolve: (message: Msg) => void;
  readonly #reject: (error: ActionError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(inbox: Inbox, resolve: (message: Msg) => void, reject: (error: ActionError) => void) {
    this.#inbox = inbox;
    this.#resolve = resolve;
    this.#reject = reject;
    this.replyTo = inbox.open(this);
  }

  waitAtMost(timeoutMs: number): void {
    this.#timer = setTimeout(giveUp, timeoutMs, this);
  }

  receive(message: Msg): void {
    this.close();
    if (isNobodyThere(message)) this.#reject(new ActionError('action_platform_unavailable'));
    else this.#resolve(message);
  }

  lost(): void {
    this.close();
    this.#reject(new ActionError('action_infrastructure_failure'));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#inbox.close(this.replyTo);
  }
}

function giveUp(receiver: Receiver): void {
  receiver.lost();
}

/**
 * Publishes a request. When it cannot be published nothing was sent, and it throws ActionError:
 * `request_body_too_large` when it is larger than the server takes, else `action_platform_unavailable`.
 */
export function publishRequest(
  nc: NatsConnection,
  subject: string,
  body: Uint8Array | string,
  replyTo: string,
  entries: Readonly<Record<string, string>> | undefined,
  timeoutMs: number,
): void {
  const headers = toMessageHeaders(entries ?? {});
  headers.set(busHeaders.timeoutMs, String(Math.ceil(timeoutMs)));
  try {
    nc.publish(subject, body, { reply: replyTo, headers });
  } catch {
    // The client compares with `max_payload` before it sends anything; its error does not say so in its type.
    const isTooLarge = messageBytes(body, headers) > (nc.info?.max_payload ?? Number.POSITIVE_INFINITY);
    throw new ActionError(isTooLarge ? 'request_body_too_large' : 'action_platform_unavailable');
  }
}

function messageBytes(body: Uint8Array | string, headers: MsgHdrs): number {
  return Buffer.byteLength(body) + Buffer.byteLength(String(headers));
}

/** Whether a message is the NATS server's word that nobody serves the subject. */
export function isNobodyThere(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}
