/** The reason for the end of a service, from its log: its last fatal line, or the error of a program that Node.js cannot run. */
export function exitReason(log: readonly string[]): string | undefined {
  const fatal = log.map(fatalLine).findLast((text) => text !== undefined);
  return fatal ?? log.findLast((line) => /^\w*Error\b/.test(line));
}

/** The message of a fatal line; undefined for any other line. */
function fatalLine(line: string): string | undefined {
  if (!line.includes('"level":"fatal"')) return undefined;
  try {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { type?: string } };
    // The texts of unexpected errors stay out of the log; their types do not.
    return msg.includes(': ') || err?.type === undefined ? msg : `${msg} (${err.type})`;
  } catch {
    return undefined;
  }
}
