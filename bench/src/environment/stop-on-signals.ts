let stopping = false;

/** Whether what was started is being stopped: then whoever waits for it fails, and that is no news. */
export function isStopping(): boolean {
  return stopping;
}

/** Ctrl-C stops what was started, then ends this process. */
export function stopOnSignals(stops: AsyncDisposableStack, tell: (line: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopping = true;
      tell('Stopping …');
      void stops.disposeAsync().finally(() => process.exit(1));
    });
  }
}
