/** Prints a line. */
export const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Runs a command that needs a stack of its own, removes the stack, also after a signal or an error that nothing handles, and ends the process. `endWith` prints an error in
 * one line.
 *
 * @param work starts the stack when it needs it, and returns whether it succeeded.
 */
export async function endWith(
  stack: { remove(): Promise<void> },
  work: () => Promise<boolean>,
): Promise<never> {
  let removal: Promise<void> | undefined;
  const remove = () => (removal ??= stack.remove());
  // Handled more than once, because a second Ctrl-C during the removal would leave the stack running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void remove().finally(() => process.exit(1)));
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    void remove().finally(() => process.exit(1));
  });
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
