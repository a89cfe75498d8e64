import { statusSurvey } from '@action-platform/contracts/bus';
import type { TestProcess } from '@action-platform/testing';
import type { StoredFile } from '../files/stored-file.ts';
import { TestKnowledge } from './test-knowledge.ts';
import { until } from './until.ts';

/** The knowledge service in a process of its own, which follows a source whose files a test sets. */
export abstract class FollowedKnowledge extends TestKnowledge {
  /** The variable that configures the source. */
  abstract readonly variable: string;
  /** The code of a source that `hide` hid. */
  abstract readonly hiddenCode: string;
  /** The variables of a replica that follows it. */
  abstract readonly environment: Readonly<Record<string, string>>;
  replica!: TestProcess;
  #lineCount = 0;

  /** Makes the source hold these keys alone. */
  abstract set(keys: readonly string[]): Promise<void>;
  /** Gives a file its content, at one moment. */
  abstract put(key: string, content: string | Uint8Array): Promise<void>;
  /** Makes the source impossible to list. */
  abstract hide(): Promise<void>;
  /** Ends that. */
  abstract show(): Promise<void>;

  /** Starts a replica that follows the source. */
  async follow(): Promise<TestProcess> {
    this.replica = await this.platform.spawn('knowledge', this.environment);
    return this.replica;
  }

  /** Makes the source hold these keys alone and lists them, whatever it held. */
  async begin(keys: readonly string[]): Promise<void> {
    const { db } = await this.platform.database('knowledge');
    await db.collection<StoredFile>('files').deleteMany({});
    await this.set(keys);
    await this.pass();
    // The line that ends the kept listing of the test before may come after the pass.
    await until(
      async () => this.#states(),
      (lines) => lines.length === 0 || lines.at(-1)!.endsWith('is followed again'),
    );
    this.#lineCount = this.lines().length;
  }

  /** Makes the source hold these keys alone, and lists them. */
  async change(keys: readonly string[]): Promise<void> {
    await this.set(keys);
    await this.pass();
  }

  /** The lines that the replica has logged about the source since `begin`, once there are as many. */
  async newLines(count: number): Promise<string[]> {
    return await until(
      async () => this.lines().slice(this.#lineCount),
      ({ length }) => length >= count,
    );
  }

  /** The missing dependencies of the only replica. */
  async missing(): Promise<readonly string[]> {
    const bus = await this.platform.connect('admin');
    const isComplete = ({ length }: readonly unknown[]) => length > 0;
    const [status] = await bus.survey(statusSurvey, { timeoutMs: 5_000, isComplete });
    return status!.missing;
  }

  /** The messages that a replica has logged about the source, with the code or the count of each. */
  lines({ lines } = this.replica): string[] {
    return lines
      .map((line) => JSON.parse(line) as { msg: string; code?: string; count?: number })
      .filter(({ msg }) => msg.includes(this.variable))
      .map(({ msg, code, count }) => [msg, code ?? count].filter((part) => part !== undefined).join(': '));
  }

  #states(): string[] {
    return this.lines().filter((line) => !line.startsWith('keys of'));
  }
}

/** The lines of the log about a source. */
export const linesOf = (variable: string) => ({
  kept: (code: string) => `${variable} cannot be listed; the listing is kept: ${code}`,
  emptied:
    `${variable} holds none of the listed files; the listing is kept until they are back. ` +
    'If it was emptied on purpose: admin files forget',
  leftOut: (count: number) =>
    `keys of ${variable} name no visible file, or cannot be read, and are not listed: ${count}`,
  again: `${variable} is followed again`,
});
