import { type Call, type ProcessName, processes } from '@action-platform/contracts';
import type { DatabaseUser } from '@action-platform/deployment';
import { type Demo, localDirectory } from '@action-platform/local';
import { untilWell } from '@action-platform/testing';
import type { z } from 'zod';
import { Operator } from '../../operator.ts';
import { StackProcess } from '../../stack-process.ts';
import type { Platform } from '../workload/world.ts';

/** Two replicas of these processes; by default of all. */
export const twoOf = (...names: ProcessName[]): string =>
  (names.length === 0 ? processes : names).map((name) => `${name}=2`).join();

/** A platform as `npm start` runs it. Its supervisor starts a process again that has ended. */
export class LocalPlatform implements Platform {
  readonly stack = new StackProcess();
  readonly #replicas: string;
  demo!: Demo;
  operator!: Operator;

  /** @param environment variables for its processes */
  constructor(replicas = '', environment: Readonly<Record<string, string>> = {}) {
    this.#replicas = replicas;
    Object.assign(this.stack.environment, environment);
  }

  get gateways(): readonly string[] {
    return this.demo.gateways;
  }

  get mail(): string {
    return localDirectory({ LOCAL_DIR: this.stack.directory }).mail;
  }

  async start(): Promise<void> {
    this.demo = await this.stack.start(...(this.#replicas === '' ? [] : ['--replicas', this.#replicas]));
    this.operator = await Operator.of(this.stack);
  }

  async operate<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>> {
    return await this.operator.call(call, input);
  }

  async token(workspace: string, user: string): Promise<string> {
    return await this.operator.token(workspace, user);
  }

  /** A token of the console, as after a sign-in of now. */
  async freshToken(workspace: string, user: string): Promise<string> {
    return await this.operator.freshToken(workspace, user);
  }

  databaseUrl(user: DatabaseUser): string {
    return this.stack.databaseUrl(user);
  }

  async ready(): Promise<void> {
    await untilWell(this.gateways);
  }

  /** Stops it; its data stay. */
  async stop(): Promise<void> {
    await this.operator?.close();
    await this.stack.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.stack.remove();
  }
}
