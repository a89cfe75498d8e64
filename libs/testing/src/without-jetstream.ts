/** The configuration of a NATS server that stores nothing. */
export function withoutJetStream(config: string): string {
  return config.replace(/^jetstream: .*$/m, '');
}
