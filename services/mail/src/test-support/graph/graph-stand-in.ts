import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listen, testCertificate } from '@action-platform/testing';
import { accessDenied, type Cloud, routeOf } from './graph-routes.ts';
import { graphError, type StandInAnswer, signInError } from './stand-in-answer.ts';
import { type FaultyCall, GraphFaults } from './stand-in-faults.ts';
import { StandInMailbox } from './stand-in-mailbox.ts';
import { TokenEndpoint } from './token-endpoint.ts';

/** The most requests at once for a mailbox, from "Microsoft Graph service-specific throttling limits". */
const REQUESTS_AT_ONCE = 4;

/**
 * A stand-in for Microsoft Graph and its token endpoint, over HTTPS on 127.0.0.1. Every answer follows a page of Microsoft's
 * documentation. No test against it shows how a real tenant behaves beyond these pages.
 */
export class GraphStandIn implements Cloud {
  readonly tokens: TokenEndpoint;
  readonly faults = new GraphFaults();
  /** The authority of its certificate, in PEM. */
  readonly authority: string;
  readonly origin: string;
  lagMs = 0;
  isGlobalCloud = true;
  pageSize = 10;
  /** The `client-request-id` of every request for a mailbox. */
  readonly requestIds: string[] = [];
  /** How many connections there have been. */
  connections = 0;
  readonly #server: Server;
  #distrust = () => {};
  readonly #mailboxes = new Map<string, StandInMailbox>();
  /** The requests of ended connections that are not done yet. */
  #late: (() => void)[] = [];
  readonly #underWay = new Map<StandInMailbox, number>();

  private constructor(server: Server, port: number, authority: string) {
    this.#server = server;
    this.origin = `https://127.0.0.1:${port}`;
    this.tokens = new TokenEndpoint(this.origin);
    this.authority = authority;
    server.on('secureConnection', () => this.connections++);
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<GraphStandIn> {
    const { authority, server: pem } = await testCertificate();
    const server = createServer({ cert: pem, key: pem });
    return new GraphStandIn(server, await listen(server), authority);
  }

  /** Starts one that this process trusts until its stop. */
  static async trusted(): Promise<GraphStandIn> {
    const graph = await GraphStandIn.start();
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, graph.authority]);
    graph.#distrust = () => setDefaultCACertificates(before);
    return graph;
  }

  async stop(): Promise<void> {
    this.#distrust();
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  /** The options that connect a mailbox. */
  settings() {
    const { tenant, clientId: client_id } = this.tokens;
    return { tenant, client_id, login_url: this.origin, graph_url: this.origin };
  }

  /** The mailbox of an address, which exists from its first use. */
  mailbox(email: string): StandInMailbox {
    const mailbox = this.#mailboxes.get(email) ?? new StandInMailbox();
    this.#mailboxes.set(email, mailbox);
    return mailbox;
  }

  /** Does what was asked over connections that have ended. */
  deliverLate(): void {
    for (const answer of this.#late.splice(0)) answer();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const url = new URL(request.url ?? '', this.origin);
    const [, user, path = ''] = /^\/v1\.0\/users\/([^/]+)(\/.*)$/.exec(url.pathname) ?? [];
    if (user === undefined) return await this.#serveTokens(url, body, response);
    const { method = '', headers } = request;
    const clientRequestId = String(headers['client-request-id']);
    this.requestIds.push(clientRequestId);
    response.setHeader('request-id', randomUUID());
    response.setHeader('client-request-id', clientRequestId);
    if (!this.tokens.accepts(headers.authorization)) {
      return send(response, graphError(401, 'InvalidAuthenticationToken'));
    }
    const mailbox = this.#mailboxes.get(decodeURIComponent(user));
    if (mailbox === undefined) return send(response, graphError(404, 'ErrorInvalidUser'));
    if (mailbox.access === 'none') return send(response, accessDenied());
    const route = routeOf(path, { mailbox, method, url, headers, body }, this);
    if (route === undefined) return send(response, graphError(400, 'BadRequest'));
    await this.#atOnce(mailbox, response, () => this.#withFault(...route, response));
  }

  async #serveTokens(url: URL, body: string, response: ServerResponse): Promise<void> {
    const isToken = url.pathname.endsWith('/token');
    const form = isToken ? new URLSearchParams(body) : url.searchParams;
    const answer = () => this.tokens.answer(url.pathname, form) ?? graphError(404, 'NotFound');
    await this.#withFault(isToken ? 'token' : undefined, answer, response);
  }

  /** Refuses the fifth request at once for a mailbox. */
  async #atOnce(mailbox: StandInMailbox, response: ServerResponse, work: () => Promise<void>): Promise<void> {
    const count = (this.#underWay.get(mailbox) ?? 0) + 1;
    if (count > REQUESTS_AT_ONCE) {
      return send(response, graphError(429, 'ApplicationThrottled', { 'retry-after': '1' }));
    }
    this.#underWay.set(mailbox, count);
    try {
      await work();
    } finally {
      this.#underWay.set(mailbox, this.#underWay.get(mailbox)! - 1);
    }
  }

  async #withFault(
    call: FaultyCall | undefined,
    answer: () => StandInAnswer,
    response: ServerResponse,
  ): Promise<void> {
    const fault = call === undefined ? undefined : this.faults.take(call);
    if (fault === undefined) return send(response, answer());
    if ('refuse' in fault) {
      const { refuse, code } = fault;
      return send(response, call === 'token' ? signInError(code, 50000, refuse) : graphError(refuse, code));
    }
    if ('throttle' in fault) {
      // "Microsoft Graph throttling guidance"
      const code = fault.throttle === 429 ? 'ApplicationThrottled' : 'serviceNotAvailable';
      return send(response, graphError(fault.throttle, code, { 'retry-after': String(fault.seconds) }));
    }
    if ('delayMs' in fault) {
      await delay(fault.delayMs);
      return send(response, answer());
    }
    if ('garbled' in fault) {
      answer();
      response.writeHead(200, { 'content-type': 'application/json' });
      await pipeline(fault.garbled === 'malformed' ? ['SECRET-DETAIL'] : blanks, response).catch(() => {});
      return;
    }
    const when = 'cut' in fault ? fault.cut : fault.swallow;
    if (when === 'after') answer();
    if (when === 'late') this.#late.push(answer);
    if ('cut' in fault) response.destroy();
    else await new Promise((closed) => response.on('close', closed));
  }
}

/** A text without end. */
function* blanks(): Generator<string> {
  for (;;) yield ' '.repeat(65_536);
}

function send(response: ServerResponse, { status, headers = {}, body }: StandInAnswer): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
