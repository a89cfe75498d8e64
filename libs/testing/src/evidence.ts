import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which a run keeps what its platforms stored, logged and answered, for a scan; most runs have none. */
const folder = process.env.TEST_EVIDENCE_DIR;

/** Keeps a text of a run that has a folder for it: in the file of its kind. */
export function keepEvidence(kind: 'databases' | 'logs' | 'answers', text: string): void {
  if (folder !== undefined) appendFileSync(join(folder, kind), `${text}\n`);
}

/** The variables with which the services of such a run log everything, and export their spans as the run itself does. */
export function evidenceEnvironment(): Record<string, string> {
  if (folder === undefined) return {};
  const exporting = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
  return { ...(Object.fromEntries(exporting) as Record<string, string>), LOG_LEVEL: 'trace' };
}
