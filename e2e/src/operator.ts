import { randomUUID } from 'node:crypto';
import { type Bus, callService, type Streams } from '@action-platform/bus';
import type { Role } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { addMember, type Call, connectApp, createWorkspace } from '@action-platform/contracts/calls';
import { connectOperator, issueToken, localDirectory, readStack } from '@action-platform/local';
import type { z } from 'zod';

/** Long, because other platforms may start on the machine at the same time. */
const CONNECT_TIMEOUT_MS = 60_000;

/** Makes a call of an operator. */
export type Operate = <Input extends z.ZodObject, Output extends z.ZodType>(
  call: Call<Input, Output>,
  input: z.input<Input>,
) => Promise<z.output<Output>>;

/** Makes the calls of `npm run admin` to a running stack, over one connection instead of a process per command. */
export class Operator {
  readonly #directory: ReturnType<typeof localDirectory>;
  readonly #bus: Bus;

  private constructor(directory: ReturnType<typeof localDirectory>, bus: Bus) {
    this.#directory = directory;
    this.#bus = bus;
  }

  /** The operator of the stack in a directory. */
  static async of({ directory: root }: { readonly directory: string }): Promise<Operator> {
    const directory = localDirectory({ LOCAL_DIR: root });
    return new Operator(directory, await connectOperator(readStack(directory), CONNECT_TIMEOUT_MS));
  }

  /** The streams on the NATS server. */
  get streams(): Streams {
    return this.#bus.streams;
  }

  readonly call: Operate = async (call, input) => {
    // A test that runs commands synchronously answers no pings meanwhile, and the NATS server closes its connection.
    await this.#bus.flush();
    const headers = { [busHeaders.requestId]: randomUUID(), [busHeaders.operator]: 'operator' };
    return await callService(this.#bus, call, input, { headers, timeoutMs: 10_000 });
  };

  /** The id of a new Workspace. */
  async workspace(name = 'Test'): Promise<string> {
    return (await this.call(createWorkspace, { name })).workspace_id;
  }

  /** A session token of a new Member. */
  async member(workspace: string, user: string, role: Role): Promise<string> {
    await this.call(addMember, { workspace, user, role });
    return await this.token(workspace, user);
  }

  /** Connects a Member's mail app; returns the id of the connection. */
  async connectMail(workspace: string, user: string, email = `${user}@example.com`): Promise<string> {
    const { connection } = await this.call(connectApp, { workspace, user, app: 'mail_suite', email });
    return connection.id;
  }

  /** A session token, by default valid for 12 hours. */
  async token(workspaceId: string, userId: string, seconds?: number): Promise<string> {
    return await issueToken(this.#directory, { workspaceId, userId }, seconds);
  }

  /** A token of the console, as after a sign-in of now. */
  async freshToken(workspaceId: string, userId: string): Promise<string> {
    const authTime = Math.floor(Date.now() / 1000);
    return await issueToken(this.#directory, { workspaceId, userId }, undefined, { authTime });
  }

  async close(): Promise<void> {
    await this.#bus.drain();
  }
}
