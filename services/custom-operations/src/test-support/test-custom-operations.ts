import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { writeFairnessKey } from '@action-platform/admission';
import type { Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { findCustomOperation } from '@action-platform/contracts/calls';
import type { ErrorBody } from '@action-platform/contracts/errors';
import { newId, newRequestId } from '@action-platform/contracts/ids';
import {
  type CustomOperation,
  customCall,
  type HttpTarget,
  type McpTarget,
} from '@action-platform/contracts/operations';
import { connectorRoutes, type MemberRoute } from '@action-platform/contracts/resources';
import { type Received, Receiver, TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import type { z } from 'zod';
import { customOperations } from '../service.ts';

type Answering = (response: ServerResponse, received: Received) => unknown;

type ConnectorInput = z.input<typeof connectorRoutes.put.input>;

/** An answer that is a JSON text. */
export const json =
  (text: string, status = 200): Answering =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);

/** The connector that targets of tests name, for the audit log. */
export const CONNECTOR = newId('connector');

export const KEY = `key-1:${randomBytes(32).toString('base64')}`;

const environment = {
  CUSTOM_OPERATION_HTTP_TO_LOOPBACK: 'true',
  CUSTOM_OPERATION_SIGNING_KEYS: KEY,
  PUBLIC_URL: 'https://platform.example.com',
};
const killer = `--import=${new URL('kill-at.ts', import.meta.url).pathname}`;

/** Replicas of the service, an endpoint on this machine, and grants that know what a test defines. */
export class TestCustomOperations {
  readonly platform = new TestPlatform();
  /** Answers a request; a test sets its own. */
  answer: Answering = json('{}');
  readonly #definitions = new Map<string, CustomOperation>();
  #receiver!: Receiver;

  get received(): Received[] {
    return this.#receiver.received;
  }

  get url(): string {
    return this.#receiver.url;
  }

  async start(replicas = 1, more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#receiver = await Receiver.start((received, response) => this.answer(response, received));
    await this.platform.answer(
      findCustomOperation,
      ({ workspaceId, id }) => this.#definitions.get(`${workspaceId} ${id}`)!,
    );
    for (let n = 0; n < replicas; n++) await this.startReplica(more);
  }

  /** Starts a replica, with variables of its own. */
  async startReplica(more: Readonly<Record<string, string>> = {}) {
    return await this.platform.startService(customOperations, { ...environment, ...more });
  }

  /** Starts a replica as a process of its own, which is killed at a step of the first write that it makes (`kill-at.ts`). */
  async spawnReplica(KILLED_AT: string): Promise<TestProcess> {
    const more = { NODE_OPTIONS: killer, KILLED_AT };
    return await this.platform.spawn('custom-operations', { ...environment, ...more });
  }

  async stop(): Promise<void> {
    this.#receiver.stop();
    await this.platform.stop();
  }

  /** Defines an operation in a Workspace, or changes it; by default a write. */
  define(workspaceId: string, more: Partial<CustomOperation> = {}): CustomOperation {
    const id = more.id ?? 'custom.refund_order';
    const former = this.#definitions.get(`${workspaceId} ${id}`);
    const now = new Date().toISOString();
    const definition: CustomOperation = {
      id,
      definitionId: former?.definitionId ?? newId('customOperation'),
      status: 'active',
      revision: (former?.revision ?? 0) + 1,
      title: 'Refund an order',
      description: 'Refunds an order.',
      effect: 'write',
      availability: 'workspace_member',
      destructive: false,
      url: this.url,
      timeoutMs: 5_000,
      refusals: [
        {
          code: 'custom_order_not_found',
          message: 'No order has this number.',
          next: 'Ask for the number.',
          recoverable: false,
        },
      ],
      inputSchema: {
        type: 'object',
        properties: { order: { type: 'number' }, note: { type: 'string' } },
        required: ['order'],
        additionalProperties: false,
      },
      createdAt: now,
      createdBy: 'olga',
      updatedAt: now,
      updatedBy: 'olga',
      ...more,
    };
    this.#definitions.set(`${workspaceId} ${id}`, definition);
    return definition;
  }

  /** Makes a call of a route as an Owner of a Workspace, by default one who has just signed in. */
  async manage<Input extends z.ZodObject, Output extends z.ZodType>(
    workspaceId: string,
    route: MemberRoute<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>> {
    const session = { workspaceId, userId: 'olga', isFresh: true };
    const headers = { [busHeaders.principal]: JSON.stringify(session) };
    return await this.platform.callAs('gateway', route, input, headers);
  }

  /** Makes a connector in a Workspace, or changes it: by default one to the endpoint without a credential. */
  async connect(workspaceId: string, more: Partial<ConnectorInput> = {}) {
    const input: ConnectorInput = {
      name: 'shop',
      kind: 'http',
      baseUrl: `${new URL(this.url).origin}/v1/`,
      auth: { type: 'none' },
      ...more,
    };
    return (await this.manage(workspaceId, connectorRoutes.put, input)).connector;
  }

  /** Defines an operation with a target in the connector `shop`; by default a write with one order. */
  defineTarget(
    workspaceId: string,
    target: Partial<HttpTarget> | McpTarget,
    more: Partial<CustomOperation> = {},
  ): CustomOperation {
    const { url: _url, ...definition } = this.define(workspaceId, {
      connectorId: CONNECTOR,
      refusals: [],
      ...more,
      target: 'tool' in target ? target : { connector: 'shop', method: 'post', path: '/orders', ...target },
    });
    this.#definitions.set(`${workspaceId} ${definition.id}`, definition);
    return definition;
  }

  /** Calls an operation as the gateway does, after grants has found it; a string is sent as it is. */
  async call(
    principal: Principal,
    { id, revision, updatedAt, effect }: CustomOperation,
    input: object | string,
    { key = '', timeoutMs = 10_000 } = {},
  ) {
    const bus = await this.platform.connect('gateway');
    const { workspaceId, userId } = principal;
    const headers = {
      [busHeaders.requestId]: newRequestId(),
      [busHeaders.principal]: JSON.stringify(principal),
      [busHeaders.customOperation]: JSON.stringify({ id, revision, updatedAt, effect }),
      [busHeaders.idempotencyKey]: key,
      [busHeaders.fairnessKey]: writeFairnessKey({
        workspace: workspaceId,
        caller: `${workspaceId} ${userId}`,
      }),
    };
    const body = typeof input === 'string' ? input : JSON.stringify(input);
    const reply = await bus.request(customCall.subject, body, { timeoutMs, headers });
    const chunks = reply.more === undefined ? [] : await Array.fromAsync(reply.more);
    const text = Buffer.concat([reply.body, ...chunks]).toString();
    const { error } = JSON.parse(text) as { error?: ErrorBody };
    return { status: reply.status, text, error, code: error?.code ?? 'ok', header: reply.header.bind(reply) };
  }
}

/** Replicas of the service, with further variables, for the tests of a file. */
export function testCustomOperations(...options: Parameters<TestCustomOperations['start']>) {
  const custom = new TestCustomOperations();
  beforeAll(() => custom.start(...options));
  afterAll(() => custom.stop());
  return custom;
}
