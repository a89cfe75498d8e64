/**
 * The reason why a mongod ended: the first complaint in its log. mongod logs JSON; any other line comes from the system's loader.
 *
 * @param log the lines logged since its start
 * @returns undefined when no line is a complaint
 */
export function explainMongodLog(log: readonly string[]): string | undefined {
  return log.flatMap(complaintOf).at(0);
}

function complaintOf(line: string): string[] {
  if (line.trim() === '') return [];
  if (!line.startsWith('{')) return [line];
  const { s: severity, msg, attr } = parsed(line);
  if (severity !== 'F' && severity !== 'E') return [];
  return [attr === undefined ? `${msg}` : `${msg} ${JSON.stringify(attr)}`];
}

/** The last line of a killed process may be incomplete. */
function parsed(line: string): { s?: string; msg?: string; attr?: object } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
