import type { Bus } from '@action-platform/bus';
import type { LocalDirectory } from '@action-platform/local';

/** What a command works with. */
export interface CommandTools {
  /** Connects to the running platform as its operator. */
  connect(): Promise<Bus>;
  readonly directory: LocalDirectory;
}

/** The values of a command's options, by name; a flag's value is true. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** One of the things an operator can do. */
export interface Command {
  /** As it is typed, such as `member add`. */
  readonly name: string;
  /** Its options as the help shows them. */
  readonly usage: string;
  /** Its options, as `node:util` parseArgs takes them. */
  readonly options: Readonly<Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>>;
  /** Does it; what it returns is printed as JSON. */
  run(values: OptionValues, tools: CommandTools): Promise<object>;
}
