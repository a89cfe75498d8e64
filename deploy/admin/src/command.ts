import { type Bus, callService } from '@action-platform/bus';
import {
  addMember,
  type Call,
  type Command as DeclaredCommand,
  operatorCalls,
} from '@action-platform/contracts';
import { issueToken, LOCAL_TOKEN_SECONDS, type LocalDirectory } from '@action-platform/local';
import { z } from 'zod';

/** What a command works with. */
export interface Dependencies {
  /** Connects to the running platform as its operator. */
  connect(): Promise<Bus>;
  readonly directory: LocalDirectory;
}

/** One of the things an operator can do. What it is called, what it takes and its help follow from this. */
export interface Command<Input extends z.ZodObject = z.ZodObject> {
  /** As it is typed, such as `member add`. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** Its options: the field `display_name` is `--display-name`. */
  readonly input: Input;
  /** Does it; what it returns is printed as JSON. */
  run(input: z.output<Input>, dependencies: Dependencies): Promise<unknown>;
}

const TIMEOUT_MS = 10_000;

function commandOf(call: Call & { readonly command: DeclaredCommand }): Command {
  return {
    ...call.command,
    input: call.input,
    run: async (input, { connect }) =>
      await callService(await connect(), call, input, { timeoutMs: TIMEOUT_MS }),
  };
}

const tokenInput = addMember.input.pick({ workspace: true, user: true }).extend({
  expires_in: z
    .int()
    .min(1)
    .default(LOCAL_TOKEN_SECONDS)
    .meta({ description: 'How long it is valid, in seconds.' }),
});

/** No call: the platform does not issue session tokens. */
const token: Command<typeof tokenInput> = {
  name: 'token',
  summary: "Signs a session token of a Member with the local stack's issuer.",
  input: tokenInput,
  run: async ({ workspace, user, expires_in }, { directory }) => ({
    token: await issueToken(directory, { workspaceId: workspace, userId: user }, expires_in),
  }),
};

/** Everything an operator can do, by name: every call declared for operators, and what the local stack adds. */
export const commands: readonly Command[] = [...operatorCalls.map(commandOf), token].toSorted((one, other) =>
  one.name.localeCompare(other.name),
);
