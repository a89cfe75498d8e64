import { randomUUID } from 'node:crypto';
import { type Bus, busHeaders, callService } from '@action-platform/bus';
import {
  type BusUser,
  type Call,
  type ErrorBody,
  type GrantData,
  grantedData,
  type Operation,
  operationSubject,
} from '@action-platform/contracts';
import { type Database, openDatabase } from '@action-platform/mongo';
import {
  type commonConfig,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@action-platform/service-host';
import type { z } from 'zod';
import type { TestPrincipal } from './principals.ts';
import { startTestBus, type TestBus } from './test-bus.ts';
import { startTestProcess, type TestProcess } from './test-process.ts';

/** How an operation answered, as the HTTP client would see it. */
export interface OperationAnswer<Output = unknown> {
  readonly status: number;
  /** The body as it came. */
  readonly text: string;
  /** The `result` of a success; throws on a failure. */
  readonly result: Output;
  /** The `error` of a failure; throws on a success. */
  readonly error: ErrorBody;
  header(name: string): string;
}

/**
 * Services under test on a NATS server of their own and in databases of their own, which are dropped in the
 * end. Every test file makes one:
 *
 *     const platform = new TestPlatform();
 *     beforeAll(() => platform.start(recordStore));
 *     afterAll(() => platform.stop());
 */
export class TestPlatform {
  readonly #suffix = randomUUID().slice(0, 8);
  readonly #services: RunningService[] = [];
  readonly #processes: TestProcess[] = [];
  readonly #connections = new Map<BusUser, Promise<Bus>>();
  readonly #databases: Database[] = [];
  readonly #databaseNames = new Set<string>();
  readonly #grantedData = new Map<string, GrantData>();
  #bus: TestBus | undefined;

  /** Starts services; starting one twice runs two replicas of it. Extra variables go to all of them. */
  async start(
    definitions: ServiceDefinition<typeof commonConfig> | readonly ServiceDefinition<typeof commonConfig>[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    for (const definition of [definitions].flat()) await this.startService(definition, environment);
  }

  /** Starts one replica of a service and returns it, so that a test can stop it by itself. */
  async startService<Schema extends typeof commonConfig>(
    definition: ServiceDefinition<Schema>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<RunningService> {
    this.#bus ??= await startTestBus();
    const service = await startService(definition, {
      LOG_LEVEL: 'silent',
      MONGODB_URL: mongodbUrl(),
      MONGODB_DATABASE: this.#databaseName(definition.name),
      ...this.#bus.environment(definition.name),
      ...environment,
    });
    this.#services.push(service);
    return service;
  }

  /** Starts a service as a process of its own: what another service's tests need of it, or to be killed. */
  async spawn(service: BusUser, environment: Readonly<Record<string, string>> = {}): Promise<TestProcess> {
    this.#bus ??= await startTestBus();
    const child = await startTestProcess(service, {
      MONGODB_URL: mongodbUrl(),
      MONGODB_DATABASE: this.#databaseName(service),
      ...this.#bus.environment(service),
      ...environment,
    });
    this.#processes.push(child);
    return child;
  }

  /** The database of a service, for tests that must look behind its public face. */
  async database(service: BusUser): Promise<Database> {
    const database = await openDatabase(mongodbUrl(), this.#databaseName(service));
    this.#databases.push(database);
    return database;
  }

  /** A connection to the bus as one of its users. */
  async connect(user: BusUser): Promise<Bus> {
    this.#bus ??= await startTestBus();
    const connection = this.#connections.get(user) ?? this.#bus.connect(user);
    this.#connections.set(user, connection);
    return await connection;
  }

  /** Calls an operation as the gateway does. A string is sent as it is. */
  async call<Input extends z.ZodObject, Output extends z.ZodType>(
    operation: Operation<Input, Output>,
    { grantedData: data, ...principal }: TestPrincipal,
    input: object | string,
  ): Promise<OperationAnswer<z.output<Output>>> {
    if (data !== undefined) await this.#grantData(principal.routine!.id, data);
    const bus = await this.connect('gateway');
    const reply = await bus.request(
      operationSubject(operation),
      typeof input === 'string' ? input : JSON.stringify(input),
      {
        timeoutMs: 10_000,
        headers: {
          [busHeaders.requestId]: `req_${randomUUID()}`,
          [busHeaders.principal]: JSON.stringify(principal),
        },
      },
    );
    const chunks = reply.more === undefined ? [] : await Array.fromAsync(reply.more);
    const text = Buffer.concat([reply.body, ...chunks]).toString();
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

  /** Makes a call of the registry as one of the users who may; a refusal is thrown as ActionError. */
  async callAs<Input extends z.ZodObject, Output extends z.ZodType>(
    user: BusUser,
    call: Call<Input, Output>,
    input: z.input<Input>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<z.output<Output>> {
    const options = {
      timeoutMs: 10_000,
      headers: { [busHeaders.requestId]: `req_${randomUUID()}`, ...headers },
    };
    return await callService(await this.connect(user), call, input, options);
  }

  /** Stops everything and drops the databases. */
  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    for (const child of this.#processes) {
      child.signal('SIGCONT');
      child.signal('SIGTERM');
      await child.exited;
    }
    for (const connection of this.#connections.values()) await (await connection).drain();
    await Promise.all(this.#databases.map((database) => database.close()));
    for (const name of this.#databaseNames) {
      const { db, close } = await openDatabase(mongodbUrl(), name);
      await db.dropDatabase();
      await close();
    }
    await this.#bus?.stop();
  }

  /** Answers, as the grants service would, what data a routine grant reaches. */
  async #grantData(grantId: string, data: GrantData): Promise<void> {
    const isFirst = this.#grantedData.size === 0;
    this.#grantedData.set(grantId, data);
    if (!isFirst) return;
    const bus = await this.connect('grants');
    bus.serve(grantedData.subject, 'grants', async ({ body }) => {
      const asked = JSON.parse(Buffer.from(body).toString()) as { grantId: string };
      const answer = { data: this.#grantedData.get(asked.grantId) ?? null };
      return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
    });
    await bus.flush();
  }

  #databaseName(service: BusUser): string {
    const name = `test-${this.#suffix}-${service}`;
    this.#databaseNames.add(name);
    return name;
  }
}

function mongodbUrl(): string {
  const url = process.env.TEST_MONGODB_URL;
  if (url === undefined) throw new Error('TEST_MONGODB_URL is not set: run the tests through Jest.');
  return url;
}
