/** Tells a line to whoever runs a command. */
export const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Runs a command that needs a stack of its own, and ends the process: what went wrong is told in one line, and nothing is left, also when the
 * command is ended from outside.
 *
 * @param work whether all is well; it starts the stack when it needs it.
 */
export async function endWith(
  stack: { remove(): Promise<void> },
  work: () => Promise<boolean>,
): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stack.remove().finally(() => process.exit(1)));
  try {
    process.exitCode = (await work()) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await stack.remove();
  }
  process.exit();
}
