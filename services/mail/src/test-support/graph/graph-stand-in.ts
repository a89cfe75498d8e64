import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listen, testCertificate } from '@action-platform/testing';
import { accessDenied, type OpenMailbox, routeOf } from './graph-routes.ts';
import { pages } from './pages.ts';
import { type Answer, graphError, signInError } from './stand-in-answer.ts';
import { GraphFaults } from './stand-in-faults.ts';
import { StandInMailbox, type StoredMessage } from './stand-in-mailbox.ts';
import { TokenEndpoint } from './token-endpoint.ts';

/** The tenant of a test that needs only one. */
const TENANT = '4a1f7c52-2a0e-4c43-9b57-0d2f1a6f9e11';

/** The most requests at once for a mailbox, from "Microsoft Graph service-specific throttling limits". */
const REQUESTS_AT_ONCE = 4;

/**
 * A stand-in for Microsoft Graph and its token endpoint, over HTTPS on 127.0.0.1. Every answer follows a page of Microsoft's
 * documentation, which its header `x-follows` names. No test against it shows how a real tenant behaves beyond these pages.
 */
export class GraphStandIn {
  readonly tokens = new TokenEndpoint();
  readonly faults = new GraphFaults();
  /** The authority of its certificate, in PEM. */
  readonly authority: string;
  readonly origin: string;
  /** How long the filter does not find a new message, in milliseconds. */
  lagMs = 0;
  /** Whether it has "message: permanentDelete". */
  isGlobalCloud = true;
  pageSize = 10;
  /** The `client-request-id` of every request for a mailbox. */
  readonly requestIds: string[] = [];
  readonly #server: Server;
  #distrust = () => {};
  readonly #mailboxes = new Map<string, StandInMailbox>();
  readonly #readOnly = new Set<string>();
  readonly #forbidden = new Set<string>();
  /** The requests of ended connections that are not done yet. */
  #late: (() => void)[] = [];
  readonly #underWay = new Map<string, number>();

  private constructor(server: Server, port: number, authority: string) {
    this.#server = server;
    this.origin = `https://127.0.0.1:${port}`;
    this.authority = authority;
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

  /** The options that connect a mailbox of a tenant, which exists from its first use. */
  settings(tenant = TENANT) {
    this.tokens.tenants.add(tenant);
    return { tenant, client_id: this.tokens.clientId, login_url: this.origin, graph_url: this.origin };
  }

  /** The mailbox of an address, which exists from its first use. */
  mailbox(email: string, tenant = TENANT): StandInMailbox {
    const key = `${tenant} ${email}`;
    const mailbox = this.#mailboxes.get(key) ?? new StandInMailbox();
    this.#mailboxes.set(key, mailbox);
    return mailbox;
  }

  /** All messages of a tenant. */
  messagesIn(tenant: string): StoredMessage[] {
    const keys = [...this.#mailboxes.keys()].filter((key) => key.startsWith(`${tenant} `));
    return keys.flatMap((key) => this.#mailboxes.get(key)!.messages);
  }

  /** Withdraws the permission for a mailbox, or the one to write in it. */
  forbid(email: string, only?: 'writing'): void {
    (only === undefined ? this.#forbidden : this.#readOnly).add(email);
  }

  /** Does what was asked over connections that have ended. */
  deliverLate(): void {
    for (const answer of this.#late.splice(0)) answer();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const url = new URL(request.url ?? '', this.origin);
    const users = /^\/v1\.0\/users\/([^/]+)(\/.*)$/.exec(url.pathname);
    if (users === null) return await this.#serveTokens(url, body, response);
    this.requestIds.push(String(request.headers['client-request-id']));
    await this.#serveMailbox(decodeURIComponent(users[1]!), users[2]!, { request, response, url, body });
  }

  async #serveTokens(url: URL, body: string, response: ServerResponse): Promise<void> {
    const isToken = url.pathname.endsWith('/token');
    const form = isToken ? new URLSearchParams(body) : url.searchParams;
    const answer = () => this.tokens.answer(this.origin, url.pathname, form);
    await this.#withFault(
      isToken ? 'token' : undefined,
      response,
      () => answer() ?? graphError(404, 'NotFound', pages.errors),
    );
  }

  async #serveMailbox(email: string, path: string, asked: Asked): Promise<void> {
    const { request, response, url, body } = asked;
    response.setHeader('request-id', randomUUID());
    const clientRequestId = request.headers['client-request-id'];
    if (typeof clientRequestId === 'string') response.setHeader('client-request-id', clientRequestId);
    const tenant = this.tokens.tenantOf(request.headers.authorization);
    if (tenant === undefined) {
      return send(response, graphError(401, 'InvalidAuthenticationToken', pages.authorizationErrors));
    }
    if (this.#forbidden.has(email)) return send(response, accessDenied());
    const mailbox = this.#mailboxes.get(`${tenant} ${email}`);
    if (mailbox === undefined) return send(response, graphError(404, 'ErrorInvalidUser', pages.errors));
    const { lagMs, isGlobalCloud, pageSize } = this;
    const canWrite = !this.#readOnly.has(email);
    const open: OpenMailbox = { mailbox, canWrite, lagMs, isGlobalCloud, pageSize };
    const headers = request.headers as Record<string, string | undefined>;
    const route = routeOf(
      path,
      { origin: this.origin, method: request.method ?? '', url, headers, body },
      open,
    );
    if (route === undefined) return send(response, graphError(400, 'BadRequest', pages.errors));
    await this.#atOnce(`${tenant} ${email}`, response, () =>
      this.#withFault(route.call, response, () => route.answer()),
    );
  }

  /** Refuses the fifth request at once for a mailbox. */
  async #atOnce(key: string, response: ServerResponse, work: () => Promise<void>): Promise<void> {
    const count = (this.#underWay.get(key) ?? 0) + 1;
    if (count > REQUESTS_AT_ONCE) {
      return send(response, graphError(429, 'ApplicationThrottled', pages.limits, { 'retry-after': '1' }));
    }
    this.#underWay.set(key, count);
    try {
      await work();
    } finally {
      this.#underWay.set(key, this.#underWay.get(key)! - 1);
    }
  }

  async #withFault(
    call: Parameters<GraphFaults['take']>[0] | undefined,
    response: ServerResponse,
    answer: () => Answer,
  ): Promise<void> {
    const fault = call === undefined ? undefined : this.faults.take(call);
    if (fault === undefined) return send(response, answer());
    if ('refuse' in fault) {
      const { refuse, code } = fault;
      const refusal = call === 'token' ? signInError(code, 50000, pages.signInErrors, refuse) : undefined;
      return send(response, refusal ?? graphError(refuse, code, pages.errors));
    }
    if ('throttle' in fault) {
      const headers = { 'retry-after': String(fault.seconds) };
      const code = fault.throttle === 429 ? 'ApplicationThrottled' : 'serviceNotAvailable';
      return send(response, graphError(fault.throttle, code, pages.throttling, headers));
    }
    if ('malformed' in fault) {
      answer();
      response.writeHead(200, { 'content-type': 'application/json' }).end('SECRET-DETAIL');
      return;
    }
    if ('endless' in fault) {
      answer();
      response.writeHead(200, { 'content-type': 'application/json' });
      await pipeline(blanks, response).catch(() => {});
      return;
    }
    if ('delayMs' in fault) {
      await delay(fault.delayMs);
      return send(response, answer());
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

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: string;
}

function send(response: ServerResponse, { status, headers = {}, body, follows }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'x-follows': follows.address,
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
