import { writeFairnessKey } from '@action-platform/admission';
import {
  type Bus,
  type BusReply,
  type BusRequestOptions,
  busHeaders,
  callService,
} from '@action-platform/bus';
import type { GrantData } from '@action-platform/contracts/authority';
import { isService } from '@action-platform/contracts/bus';
import { type Call, grantedData, knownMembers, memberRole } from '@action-platform/contracts/calls';
import { ActionError, type ErrorBody } from '@action-platform/contracts/errors';
import { newRequestId } from '@action-platform/contracts/ids';
import type { Operation } from '@action-platform/contracts/operations';
import type { BusUser, ServiceName } from '@action-platform/contracts/services';
import { type Database, openDatabase } from '@action-platform/mongo';
import {
  type commonConfig,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@action-platform/service-host';
import type { z } from 'zod';
import { evidenceEnvironment, keepEvidence } from './evidence.ts';
import type { TestPrincipal } from './principals.ts';
import { Rogue } from './rogue/rogue.ts';
import { askRun } from './run/remote-run.ts';
import type { NewDatabase } from './run/test-databases.ts';
import { serviceDefinition } from './service-definition.ts';
import { startTestBus, type TestBus } from './test-bus.ts';
import { startTestProcess, type TestProcess } from './test-process.ts';

/** The time limit of a call: longer than a gateway's, because other tests occupy the processors. */
const CALL_TIMEOUT_MS = 30_000;

/** The answer of an operation, as an HTTP client would see it. */
export interface OperationAnswer<Output = unknown> {
  readonly status: number;
  /** The raw body. */
  readonly text: string;
  /** The `result` of a success; throws on a failure. */
  readonly result: Output;
  /** The `error` of a failure; throws on a success. */
  readonly error: ErrorBody;
  header(name: string): string;
}

/**
 * Services under test on a bus of their own and in databases of their own. Every test file makes one:
 *
 *     const platform = new TestPlatform();
 *     beforeAll(() => platform.start(recordStore));
 *     afterAll(() => platform.stop());
 */
export class TestPlatform {
  readonly #services: RunningService[] = [];
  readonly #processes: TestProcess[] = [];
  readonly #connections = new Map<BusUser, Promise<Bus>>();
  readonly #databases = new Map<BusUser, Promise<NewDatabase>>();
  readonly #opened: Database[] = [];
  readonly #rogues: Rogue[] = [];
  readonly #grantedData = new Map<string, GrantData>();
  readonly #mongodbUrl: string | undefined;
  #grantsStandIn: Promise<void> | undefined;
  #bus: Promise<TestBus> | undefined;

  /** @param options.mongodbUrl a MongoDB for this platform alone, without authentication; by default that of the test run. */
  constructor({ mongodbUrl }: { mongodbUrl?: string } = {}) {
    this.#mongodbUrl = mongodbUrl;
  }

  /** Starts services; a second start of a service adds a replica. All services get the extra variables. */
  async start(
    definitions: ServiceDefinition<typeof commonConfig> | readonly ServiceDefinition<typeof commonConfig>[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    for (const definition of [definitions].flat()) await this.startService(definition, environment);
  }

  /** Starts one replica of a service and returns it, so that a test can stop it alone. */
  async startService<Schema extends typeof commonConfig>(
    definition: ServiceDefinition<Schema>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<RunningService> {
    const service = await startService(definition, {
      LOG_LEVEL: 'silent',
      ...(await this.#environment(definition.name)),
      ...environment,
    });
    this.#services.push(service);
    return service;
  }

  /** Starts the services that the tested one needs, in this process. The test files of a worker load their code once. */
  async startBeside(...names: readonly ServiceName[]): Promise<void> {
    for (const name of names) await this.startService(await serviceDefinition(name));
  }

  /** Starts a service as a process of its own, to kill it or to see what it prints. */
  async spawn(service: BusUser, environment: Readonly<Record<string, string>> = {}): Promise<TestProcess> {
    const child = await startTestProcess(service, { ...(await this.#environment(service)), ...environment });
    this.#processes.push(child);
    return child;
  }

  /** The database of a service, for tests that must look behind its public interface. */
  async database(service: BusUser): Promise<Database> {
    const { adminUrl, name } = await this.#database(service);
    const database = await openDatabase(adminUrl, name);
    this.#opened.push(database);
    return database;
  }

  /** The URL with which a service opens its database. */
  async databaseUrl(service: ServiceName): Promise<string> {
    return (await this.#database(service)).url;
  }

  /** A connection to the bus as one of its users. */
  async connect(user: BusUser): Promise<Bus> {
    const connection = this.#connections.get(user) ?? this.#openBus().then((bus) => bus.connect(user));
    this.#connections.set(user, connection);
    return await connection;
  }

  /** A hostile client on the bus, with the credentials of one of its users. */
  async rogue(user: BusUser): Promise<Rogue> {
    const { NATS_URL, NATS_NKEY_SEED } = (await this.#openBus()).environment(user);
    const rogue = await Rogue.connect(NATS_URL!, NATS_NKEY_SEED!);
    this.#rogues.push(rogue);
    return rogue;
  }

  /** Calls an operation as the gateway does; waits 10 seconds for its answer by default. `call` sends a string unchanged. */
  async call<Input extends z.ZodObject, Output extends z.ZodType>(
    operation: Operation<Input, Output>,
    principal: TestPrincipal,
    input: object | string,
    options: Partial<BusRequestOptions> = {},
  ): Promise<OperationAnswer<z.output<Output>>> {
    const reply = await this.begin(operation, principal, input, options);
    const chunks = reply.more === undefined ? [] : await Array.fromAsync(reply.more);
    const text = Buffer.concat([reply.body, ...chunks]).toString();
    keepEvidence('answers', text);
    const body = JSON.parse(text) as { result?: z.output<Output>; error?: ErrorBody };
    return {
      status: reply.status,
      text,
      header: (name) => reply.header(name),
      get result() {
        if (body.error !== undefined) throw new Error(`the call was refused: ${text}`);
        return body.result as z.output<Output>;
      },
      get error() {
        if (body.error === undefined) throw new Error(`the call succeeded: ${text.slice(0, 500)}`);
        return body.error;
      },
    };
  }

  /** Makes a call as the gateway does for its callers, and resolves when its answer begins. */
  async begin(
    { subject }: Pick<Call, 'subject'>,
    { grantedData: data, ...principal }: TestPrincipal,
    input: object | string,
    { headers, ...options }: Partial<BusRequestOptions> = {},
  ): Promise<BusReply> {
    if (data !== undefined) {
      this.#grantedData.set(principal.routine!.id, data);
      await this.#standInForGrants();
    }
    const bus = await this.connect('gateway');
    return await bus.request(subject, typeof input === 'string' ? input : JSON.stringify(input), {
      timeoutMs: CALL_TIMEOUT_MS,
      ...options,
      headers: {
        [busHeaders.requestId]: newRequestId(),
        [busHeaders.principal]: JSON.stringify(principal),
        [busHeaders.fairnessKey]: writeFairnessKey({
          workspace: principal.workspaceId,
          caller: `${principal.workspaceId} ${principal.userId}`,
        }),
        ...headers,
      },
    });
  }

  /** Makes a call of the registry as a user with permission. @throws ActionError for a refusal */
  async callAs<Input extends z.ZodObject, Output extends z.ZodType>(
    user: BusUser,
    call: Call<Input, Output>,
    input: z.input<Input>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<z.output<Output>> {
    const options = {
      timeoutMs: CALL_TIMEOUT_MS,
      headers: { [busHeaders.requestId]: newRequestId(), ...headers },
    };
    const asksGrants = call.audience === 'operator' || call.audience === 'member';
    if (asksGrants && call.service !== 'grants') await this.#standInForGrants();
    try {
      const answer = await callService(await this.connect(user), call, input, options);
      keepEvidence('answers', JSON.stringify(answer));
      return answer;
    } catch (error) {
      keepEvidence('answers', (error as Error).message);
      throw error;
    }
  }

  /** Answers a call in place of its service. */
  async answer<Input extends z.ZodObject, Output extends z.ZodType>(
    { service, subject, input }: Call<Input, Output>,
    answerTo: (input: z.output<Input>) => z.input<Output> | ActionError,
  ): Promise<void> {
    const bus = await this.connect(service);
    bus.serve(subject, service, async ({ body }) => {
      const answer = answerTo(input.parse(JSON.parse(Buffer.from(body).toString())));
      if (!(answer instanceof ActionError)) return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
      return { status: answer.status, body: Buffer.from(JSON.stringify(answer.toEnvelope('req_1'))) };
    });
    await bus.flush();
  }

  /** Stops all services and connections. */
  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    for (const child of this.#processes) {
      child.signal('SIGCONT');
      child.signal('SIGTERM');
    }
    await Promise.all(this.#processes.map(({ exited }) => exited));
    for (const connection of this.#connections.values()) await (await connection).drain();
    await Promise.all(this.#rogues.map((rogue) => rogue.close()));
    await Promise.all(this.#opened.map((database) => database.close()));
    await (await this.#bus)?.stop();
  }

  /**
   * Answers in place of a grants service: with the data scope of a routine grant, and that every Workspace and user is
   * known, each user as an Owner.
   */
  #standInForGrants(): Promise<void> {
    this.#grantsStandIn ??= this.#databases.has('grants') ? Promise.resolve() : this.#serveAsGrants();
    return this.#grantsStandIn;
  }

  async #serveAsGrants(): Promise<void> {
    await this.answer(grantedData, ({ grantId }) => ({ data: this.#grantedData.get(grantId) ?? null }));
    await this.answer(memberRole, () => ({ role: 'owner' as const }));
    await this.answer(knownMembers, ({ users }) => ({ isWorkspace: true, members: users }));
  }

  #openBus(): Promise<TestBus> {
    this.#bus ??= startTestBus();
    return this.#bus;
  }

  #database(service: BusUser): Promise<NewDatabase> {
    const database = this.#databases.get(service) ?? this.#newDatabase(service);
    this.#databases.set(service, database);
    return database;
  }

  async #newDatabase(service: BusUser): Promise<NewDatabase> {
    const url = this.#mongodbUrl;
    return url === undefined ? await askRun('newDatabase', service) : { name: service, url, adminUrl: url };
  }

  async #environment(service: BusUser): Promise<Record<string, string>> {
    const bus = { ...(await this.#openBus()).environment(service), ...evidenceEnvironment() };
    if (!isService(service)) return bus;
    const { url, name } = await this.#database(service);
    const variables = { ...bus, MONGODB_URL: url, MONGODB_DATABASE: name };
    return this.#mongodbUrl === undefined ? variables : { ...variables, ALLOW_INSECURE: '1' };
  }
}
