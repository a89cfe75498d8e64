import { type Bus, callService } from '@action-platform/bus';
import { addMember, type Call, connectApp, createWorkspace, type Role } from '@action-platform/contracts';
import { connectOperator, issueToken, localDirectory, readStack } from '@action-platform/local';
import type { z } from 'zod';

/** Longer than a person waits: the machine may be busy with the start of other platforms. */
const CONNECT_PATIENCE_MS = 60_000;

/** Does in a running stack what `npm run admin` does, over one connection instead of a process for each command. */
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
    return new Operator(directory, await connectOperator(readStack(directory), CONNECT_PATIENCE_MS));
  }

  /** Makes one of the calls that only operators may make. */
  async call<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>> {
    // A test that waits for commands answers no pings meanwhile, and the NATS server ends its connection.
    await this.#bus.flush();
    return await callService(this.#bus, call, input, { timeoutMs: 10_000 });
  }

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

  /** A session token, good for 12 hours unless told otherwise. */
  async token(workspaceId: string, userId: string, seconds?: number): Promise<string> {
    return await issueToken(this.#directory, { workspaceId, userId }, seconds);
  }

  async close(): Promise<void> {
    await this.#bus.drain();
  }
}
