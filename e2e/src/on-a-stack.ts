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
  let removal: Promise<void> | undefined;
  const remove = () => (removal ??= stack.remove());
  // Whoever presses Ctrl-C once more while it is removed would leave it running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void remove().finally(() => process.exit(1)));
  try {
    process.exitCode = (await work()) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await remove();
  }
  process.exit();
}
