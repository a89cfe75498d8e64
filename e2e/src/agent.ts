import type { JsonSchema } from '@action-platform/contracts/schema';
import { Caller, execute, type Json } from '@action-platform/testing/http';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isAcceptedBy } from './contract/openapi.ts';
import { accepted } from './contract/schema-arbitrary.ts';

/** An operation as discovery lists it. */
interface Descriptor {
  readonly id: string;
  /** How `next` names it for this caller: its id, or the name of its tool. */
  readonly name: string;
  readonly title: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly errors?: readonly ErrorTemplate[];
}

interface ErrorTemplate {
  readonly code: string;
  readonly recoverable: boolean;
  readonly next: string;
}

/** A call that was made, and its answer. */
export interface Attempt {
  readonly operation: Descriptor;
  readonly input: Input;
  readonly result?: Record<string, never>;
  readonly error?: ErrorTemplate & { readonly message: string };
}

type Input = Readonly<Record<string, unknown>>;

/** A caller that has read `GET /api/v1/operations` and nothing else. */
export class Agent {
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #run: string;
  /** The last value it has seen for every name, such as `record_id`, `version` or `sender_id`. */
  readonly #seen = new Map<string, unknown>();
  /** The operations it can call. */
  readonly operations: readonly Descriptor[];

  private constructor(baseUrl: string, token: string, operations: readonly Descriptor[], run = '') {
    this.#baseUrl = baseUrl;
    this.#token = token;
    this.#run = run;
    this.operations = operations;
  }

  /** An agent that has discovered its operations. */
  static async discover(baseUrl: string, token: string): Promise<Agent> {
    const { operations } = await new Caller(baseUrl, token).request('GET', '/api/v1/operations');
    const named = operations.map((operation: Json) => ({ ...operation, name: operation.id }));
    return new Agent(baseUrl, token, named);
  }

  /** An agent with function tools alone, the form that a model receives: no outputs, errors or titles. */
  static async withTools(baseUrl: string, token: string, run = ''): Promise<Agent> {
    const { tools } = await new Caller(baseUrl, token).request('GET', '/api/v1/operations?view=tools');
    const operations = tools.map(({ name, parameters }: Json) => ({
      id: name.replace('__', '.'),
      name,
      title: name.replaceAll('_', ' '),
      inputSchema: parameters,
      outputSchema: {},
    }));
    return new Agent(baseUrl, token, operations, run);
  }

  /** Runs the operation that a person describes in these words with these values; the agent fills the rest of the input. */
  async do(words: string, given: Input = {}): Promise<Attempt> {
    const operation = this.#find(words);
    const names = new Set([...(operation.inputSchema.required ?? []), ...Object.keys(given)]);
    const input = [...names].map((name) => [name, given[name] ?? this.#valueFor(operation, name)]);
    return await this.#call(operation, Object.fromEntries(input));
  }

  /** Follows the words of `next`, then repeats the call. Fails when `next` names no step that helps. */
  async recover({ operation, input, error }: Attempt): Promise<Attempt> {
    const { calls, fields } = this.namedIn(error!, operation);
    expect({ next: error!.next, names: calls.length + fields.length }).not.toMatchObject({ names: 0 });
    for (const call of calls) {
      const required = call.inputSchema.required ?? [];
      const needed = required.map((name) => [name, input[name] ?? this.#seen.get(name)]);
      expect((await this.#call(call, Object.fromEntries(needed))).error).toBeUndefined();
    }
    const corrected = fields.map((name) => [name, this.#valueFor(operation, name, input[name])]);
    return await this.#call(operation, { ...input, ...Object.fromEntries(corrected) });
  }

  /** The operations to call and the fields to correct that an error names. */
  namedIn({ next, message = '' }: { next: string; message?: string }, { id, name, inputSchema }: Descriptor) {
    const names = next.match(name.includes('.') ? /\b[a-z_]+\.[a-z_]+\b/g : /\b[a-z_]+__[a-z_]+\b/g) ?? [];
    const calls = names.map((named) => this.operations.find((known) => known.name === named));
    expect({ next, unknown: calls.indexOf(undefined) }).toEqual({ next, unknown: -1 });
    const text = next.includes('what the message names') ? `${next} ${message}` : next;
    const fields = Object.keys(inputSchema.properties ?? {}).filter((name) =>
      new RegExp(`(?<![\\w.])${name}(?![\\w])`).test(text),
    );
    return { calls: calls.filter((call) => call !== undefined && call.id !== id) as Descriptor[], fields };
  }

  /** The operation with all these words in its title; of several, the one with the shortest title. */
  #find(words: string): Descriptor {
    const [found] = this.operations
      .filter(({ title }) => words.split(' ').every((word) => title.toLowerCase().includes(word)))
      .toSorted((a, b) => a.title.length - b.title.length);
    expect({ words, found: found?.title }).toEqual({ words, found: expect.any(String) });
    return found!;
  }

  /** A value for a field: one seen under this name, otherwise a different one that the schema accepts. */
  #valueFor({ inputSchema }: Descriptor, name: string, refused?: unknown): unknown {
    const schema = inputSchema.properties![name]!;
    const seen = this.#seen.get(name) ?? this.#seen.get(name.replace(/^expected_/, ''));
    if (seen !== undefined && seen !== refused && isAcceptedBy(schema, seen)) return seen;
    return fc.sample(accepted(schema), 10).find((value) => value !== refused);
  }

  async #call(operation: Descriptor, input: Input): Promise<Attempt> {
    const headers = { 'x-routine-invocation-id': this.#run };
    const { json } = await execute(this.#baseUrl, this.#token, operation.id, input, headers);
    const answer = json as Pick<Attempt, 'result' | 'error'>;
    if (answer.error !== undefined) {
      const { code } = answer.error;
      expect(operation.errors?.map(({ code }) => code) ?? [code]).toContain(code);
    } else {
      expect({ input, fits: isAcceptedBy(operation.inputSchema, input) }).toMatchObject({ fits: true });
      expect({ answer, fits: isAcceptedBy(operation.outputSchema, answer.result) }).toMatchObject({
        fits: true,
      });
      this.#remember(answer.result, '');
    }
    return { operation, input, ...answer };
  }

  /** Keeps the scalar values of an answer by name, an `id` under the name of its object; of a list, the first item. */
  #remember(value: unknown, name: string): void {
    if (Array.isArray(value)) this.#remember(value[0], name.replace(/s$/, ''));
    else if (typeof value !== 'object' || value === null) this.#seen.set(name, value);
    else {
      for (const [key, member] of Object.entries(value)) {
        if (key !== 'payload') this.#remember(member, key === 'id' ? `${name}_id` : key);
      }
    }
  }
}
