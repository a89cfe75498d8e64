import { limitsSchema, ownVariablesOf, type ProcessName, type ServiceName } from '@action-platform/contracts';
import type { LocalDirectory } from '../local-directory.ts';

/** What a process needs to run at all, and what may be set for every service alike. Names that end in `*` are prefixes. */
export const everyService: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'LC_*',
  'TZ',
  'TMPDIR',
  'NODE_*',
  'OTEL_*',
  'LOG_LEVEL',
  'ALLOW_INSECURE',
  'SHUTDOWN_DELAY_MS',
  'TRACES_*',
  ...Object.keys(limitsSchema.shape),
];

/** Where a service keeps what is not in its database. */
const FOLDERS: Readonly<
  Partial<Record<ServiceName, (directory: LocalDirectory) => Readonly<Record<string, string>>>>
> = {
  mail: ({ mail }) => ({ MAIL_LOCAL_DIR: mail }),
  knowledge: ({ files }) => ({ FILES_DIR: files }),
};

/**
 * What the environment of `npm start` and the local directory give to a service: what it needs, and nothing else of what
 * a developer's shell holds.
 */
export function serviceEnvironment(
  service: ProcessName,
  directory: LocalDirectory,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const allowed = [...everyService, ...Object.keys(ownVariablesOf(service).shape)];
  const given = Object.entries(environment).filter(
    (variable): variable is [string, string] =>
      variable[1] !== undefined && allowed.some((name) => matches(name, variable[0])),
  );
  const folders = service === 'gateway' ? undefined : FOLDERS[service]?.(directory);
  return { ...Object.fromEntries(given), ...folders };
}

function matches(allowed: string, name: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
}
