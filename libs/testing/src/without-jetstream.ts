/** The configuration of a NATS server that stores nothing. @throws Error for one that names no JetStream: a run with it would lose nothing */
export function withoutJetStream(config: string): string {
  const without = config.replace(/^jetstream: .*$/m, '');
  if (without === config) throw new Error('The configuration has no line that begins with jetstream.');
  return without;
}
