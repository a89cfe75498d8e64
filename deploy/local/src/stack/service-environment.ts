import { ownVariablesOf } from '@action-platform/contracts/configuration';
import { limitsSchema } from '@action-platform/contracts/limits';
import type { ProcessName, ServiceName } from '@action-platform/contracts/services';
import type { LocalDirectory } from '../local-directory.ts';

/** The variables of every process: those that it needs, and settings for all services. A name that ends in `*` is a prefix. */
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
  'AUDIT_*',
  'SHUTDOWN_DELAY_MS',
  'TRACES_*',
  ...Object.keys(limitsSchema.shape),
];

/** The variables from which the SDK of a bucket takes its credentials. */
const S3_CREDENTIALS = 'AWS_*';

/** The variables that the local stack alone sets: the folders of a service for data outside its database, and what is safe here. */
const LOCAL: Readonly<
  Partial<Record<ServiceName, (directory: LocalDirectory) => Readonly<Record<string, string>>>>
> = {
  mail: ({ mail }) => ({ MAIL_LOCAL_DIR: mail, MAIL_LOCAL_FOR_MEMBERS: 'true' }),
  knowledge: ({ files }) => ({ FILES_DIR: files }),
  events: () => ({ WEBHOOK_HTTP_TO_LOOPBACK: 'true' }),
  grants: () => ({ CUSTOM_OPERATION_HTTP_TO_LOOPBACK: 'true' }),
  'custom-operations': () => ({ CUSTOM_OPERATION_HTTP_TO_LOOPBACK: 'true' }),
};

/**
 * The environment of a service, from that of `npm start` and the local directory: only the variables of the service, and no others
 * of the developer's shell.
 */
export function serviceEnvironment(
  service: ProcessName,
  directory: LocalDirectory,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const own = Object.keys(ownVariablesOf(service).shape);
  const hasBucket = own.includes('FILES_S3_BUCKET') && Boolean(environment.FILES_S3_BUCKET);
  const allowed = [...everyService, ...own, ...(hasBucket ? [S3_CREDENTIALS] : [])];
  const given = Object.entries(environment).filter(
    (variable): variable is [string, string] =>
      variable[1] !== undefined && allowed.some((name) => matches(name, variable[0])),
  );
  const local = service === 'gateway' ? undefined : LOCAL[service]?.(directory);
  return { ...Object.fromEntries(given), ...local };
}

function matches(allowed: string, name: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
}
