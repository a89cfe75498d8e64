import { operatorCalls } from '@action-platform/contracts/calls';
import type { Command } from './command.ts';
import { deploymentCommands } from './deployment-commands.ts';
import { exportWorkspace } from './export-workspace.ts';
import { setLogLevel } from './log-level.ts';
import { mailSignIn } from './mail-sign-in.ts';
import { status } from './status.ts';
import { listStreams, setStream } from './streams.ts';
import { token } from './token.ts';
import { trace } from './trace/trace.ts';

const declared = operatorCalls.map(
  (call): Command => ({
    ...call,
    name: call.command,
    run: async (input, platform) => (await platform.call(call, input, call.timeoutMs)) as object,
  }),
);

export const commands: readonly Command[] = [
  ...declared,
  status as Command,
  token,
  trace as Command,
  setLogLevel,
  exportWorkspace as Command,
  mailSignIn as Command,
  listStreams,
  setStream as Command,
  ...(deploymentCommands as readonly Command[]),
].toSorted((one, other) => one.name.localeCompare(other.name));

/** The commands whose name begins with these words, such as `member`. */
export function commandsAbout(words: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${words} `));
}
