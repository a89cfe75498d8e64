let stopping = false;

/** Whether a shutdown is under way: a failure while waiting for a process is then expected. */
export function isStopping(): boolean {
  return stopping;
}

/** Stops every started process on Ctrl-C, then ends this process. */
export function stopOnSignals(stops: AsyncDisposableStack, tell: (line: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopping = true;
      tell('Stopping …');
      void stops.disposeAsync().finally(() => process.exit(1));
    });
  }
}
