import { logLevels } from '@action-platform/contracts/bus';
import {
  optionalPort,
  optionalText,
  WrongConfiguration,
  wholeNumber,
} from '@action-platform/contracts/configuration';
import { limitsSchema } from '@action-platform/contracts/limits';
import { readSecretKeys, type SecretKeys } from '@action-platform/sealing';
import { telemetrySettings } from '@action-platform/telemetry';
import { z } from 'zod';

/** The environment variables that every process reads, besides its own and the standard `OTEL_*`. */
export const commonConfig = limitsSchema.extend(telemetrySettings.shape).extend({
  NATS_URL: z
    .string()
    .refine(areServers, 'must be servers such as nats://host:4222, separated by commas')
    .default('nats://127.0.0.1:4222')
    .describe('NATS servers, separated by commas: all of a cluster.'),
  NATS_NKEY_SEED: optionalText('The nkey seed of this process on the bus.'),
  NATS_NKEY_SEED_FILE: optionalText('A file with the nkey seed, instead of NATS_NKEY_SEED.'),
  NATS_CA_FILE: optionalText("The authority of the NATS server's certificate (PEM). It turns encryption on."),
  SEAL_KEYS: optionalText(
    'The keys that seal cursors and blocks of the audit log, in the form of MAIL_SECRET_KEYS, the same for every process. The first one seals.',
  ),
  SEAL_KEYS_FILE: optionalText('A file with the keys, instead of SEAL_KEYS.'),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://')
    .default('mongodb://127.0.0.1:27017')
    .describe('The MongoDB replica set or sharded cluster of this service, with its user and password.'),
  MONGODB_URL_FILE: optionalText('A file with the URL, instead of MONGODB_URL.'),
  MONGODB_DATABASE: optionalText("The database of this service; by default the service's name."),
  ALLOW_INSECURE: z
    .enum(['0', '1'])
    .default('0')
    .describe('1 accepts a NATS server or a MongoDB without authentication.'),
  AUDIT_READS: z
    .enum(['counted', 'each'])
    .default('counted')
    .describe('`each` gives every read an entry of its own in the audit log.'),
  AUDIT_WINDOW_MS: wholeNumber(
    'How long equal calls share an entry of the audit log, and a change waits for the entry of its call, in milliseconds.',
    { min: 100, max: 600_000, byDefault: 60_000 },
  ),
  LOG_LEVEL: z.enum(logLevels).default('info').describe('The lowest level of log lines.'),
  HEALTH_PORT: optionalPort('The port for `/livez` and `/readyz` of this process.'),
  HEALTH_HOST: z.string().default('127.0.0.1').describe('The address of `HEALTH_PORT`.'),
  SHUTDOWN_DELAY_MS: wholeNumber('How long a process serves, unready, after SIGTERM, in milliseconds.', {
    min: 0,
    byDefault: 0,
  }),
});
export type CommonConfig = z.output<typeof commonConfig>;

/** Whether `text` lists addresses of servers, each with or without its scheme. */
function areServers(text: string): boolean {
  return text.split(',').every((part) => {
    const server = part.trim();
    return Boolean(URL.parse(server.includes('://') ? server : `nats://${server}`)?.hostname);
  });
}

/** The nkey seed. Throws WrongConfiguration. */
export function busSeed(config: CommonConfig): string {
  if (config.NATS_NKEY_SEED !== undefined) return config.NATS_NKEY_SEED;
  throw new WrongConfiguration(['set NATS_NKEY_SEED or NATS_NKEY_SEED_FILE']);
}

/** The keys that seal. Throws WrongConfiguration. */
export function sealKeys(config: CommonConfig): SecretKeys {
  const keys = readSecretKeys('SEAL_KEYS', config.SEAL_KEYS);
  if (keys.newest !== undefined) return keys;
  throw new WrongConfiguration(['set SEAL_KEYS or SEAL_KEYS_FILE']);
}
