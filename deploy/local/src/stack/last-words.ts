/** What a service's log says of why it ended: its last fatal line, or what Node.js says of a program that it cannot run. */
export function lastWords(log: readonly string[]): string | undefined {
  const fatal = log.map(fatalLine).findLast((text) => text !== undefined);
  return fatal ?? log.findLast((line) => /^\w*Error\b/.test(line));
}

/** What a line of a service's log says when it is a fatal one. */
function fatalLine(line: string): string | undefined {
  if (!line.includes('"level":"fatal"')) return undefined;
  try {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { type?: string } };
    // The texts of unexpected errors stay out of the log; their type is better than nothing.
    return msg.includes(': ') || err?.type === undefined ? msg : `${msg} (${err.type})`;
  } catch {
    return undefined;
  }
}
