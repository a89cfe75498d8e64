/**
 * Why a nats-server ended, from its log: one line that says what to do.
 *
 * @param log the lines it has logged since it was started
 * @returns undefined when nothing in the log looks like a reason
 */
export function explainNatsLog(log: string[], port: number): string | undefined {
  const complaint = log.findLast((line) => /\[(FTL|ERR)\]|^nats-server: /.test(line));
  if (!complaint) return undefined;
  if (complaint.includes('address already in use')) {
    return `port ${port} is taken: stop what listens there or choose another port`;
  }
  return complaint.replace(/^.*\[(FTL|ERR)\] |^nats-server: /, '');
}
