import { addMember, connectApp, createWorkspace } from '@action-platform/contracts/calls';
import { type ErrorBody, type ErrorCode, freshSignInChallenge } from '@action-platform/contracts/errors';
import { createCollection, type Operation } from '@action-platform/contracts/operations';
import type { ServiceName } from '@action-platform/contracts/services';
import { freePort } from '@action-platform/local-servers';
import type { RunningService } from '@action-platform/service-host';
import { TestIssuer, TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { gateway } from '../service.ts';
import { expectEnvelope } from './error-envelope.ts';

/** A Member with a session token. */
interface SignedIn {
  readonly userId: string;
  readonly token: string;
}

/** A Workspace with one Owner and one Member. */
export interface TestWorkspace {
  readonly id: string;
  readonly owner: SignedIn;
  readonly member: SignedIn;
}

/** A gateway and the services behind it in this process, and an issuer of its own. */
export class GatewayHarness {
  readonly platform = new TestPlatform();
  readonly issuer = new TestIssuer();
  /** The gateway's address. */
  url = '';

  /** Starts the gateway, or one that offers other operations, with extra variables. */
  async start(
    environment: Readonly<Record<string, string>> = {},
    definition = gateway,
  ): Promise<RunningService> {
    await this.issuer.start();
    return await this.startAnother(environment, definition);
  }

  /** Starts the gateway with these services, and makes a Workspace. */
  async startWith(
    services: readonly ServiceName[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<TestWorkspace> {
    await Promise.all([this.start(environment), this.platform.startBeside(...services)]);
    return await this.newWorkspace();
  }

  /** Starts another gateway, which the harness uses from now on. */
  async startAnother(
    environment: Readonly<Record<string, string>> = {},
    definition = gateway,
  ): Promise<RunningService> {
    return await this.platform.startService(definition, await this.#environment(environment));
  }

  /** Starts a gateway as a process, which the harness uses from now on. */
  async spawn(environment: Readonly<Record<string, string>>): Promise<TestProcess> {
    return await this.platform.spawn('gateway', await this.#environment(environment));
  }

  /** The variables of a gateway at an address of its own. */
  async #environment(more: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const { PORT = String(await freePort()) } = more;
    this.url = `http://127.0.0.1:${PORT}`;
    return { ...this.issuer.environment, PORT, ...more };
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    this.issuer.stop();
  }

  /** An HTTP client of the gateway. */
  get http() {
    return supertest(this.url);
  }

  /** @param hasMailboxes whether its people have mailboxes of their own, at a mail service that runs. */
  async newWorkspace(hasMailboxes = false): Promise<TestWorkspace> {
    const { workspace_id: workspace } = await this.platform.callAs('admin', createWorkspace, {
      name: 'Test',
    });
    const join = async (user: string, role: 'owner' | 'member'): Promise<SignedIn> => {
      await this.platform.callAs('admin', addMember, { workspace, user, role });
      const mailbox = hasMailboxes ? { email: `${user}@example.com` } : {};
      await this.platform.callAs('admin', connectApp, { workspace, user, app: 'mail_suite', ...mailbox });
      return { userId: user, token: await this.issuer.token({ workspaceId: workspace, userId: user }) };
    };
    return { id: workspace, owner: await join('olga', 'owner'), member: await join('mika', 'member') };
  }

  /** Creates a Collection that every Member may write to; resolves with its id. */
  async newCollection(token: string): Promise<string> {
    const collection = { name: 'notes', member_writes_enabled: true };
    return (await this.execute(token, createCollection, collection)).body.result.collection.id;
  }

  /** Executes an operation; a string body is sent unchanged. */
  execute(token: string, operation: Pick<Operation, 'id'>, body: object | string) {
    return this.http
      .post(`/api/v1/operations/${operation.id}`)
      .auth(token, { type: 'bearer' })
      .type('json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** Starts a gateway before the tests of a file; with services beside it, also a Workspace. */
export function runningGateway(
  services: readonly ServiceName[] = [],
  environment: Readonly<Record<string, string>> = {},
) {
  const [harness, workspace] = [new GatewayHarness(), {} as TestWorkspace];
  beforeAll(async () => {
    if (services.length === 0) await harness.start(environment);
    else Object.assign(workspace, await harness.startWith(services, environment));
  });
  afterAll(() => harness.stop());
  return { harness, workspace };
}

/** Expects the error envelope of a code, with the headers that belong to its status. */
export function expectError({ status, headers, body }: Response, code: ErrorCode): ErrorBody {
  const error = expectEnvelope({ status, requestId: headers['x-request-id'], body }, code);
  const challenge = code === 'fresh_sign_in_required' ? freshSignInChallenge : 'Bearer';
  if (status === 401) expect(headers['www-authenticate']).toBe(challenge);
  if (status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
  return error;
}
