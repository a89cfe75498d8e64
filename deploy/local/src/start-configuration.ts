import {
  consoleSignIn,
  type Environment,
  mcpAuthorization,
  optionalText,
  ownVariables,
  ownVariablesOf,
  readConfig,
  sessionIssuers,
  WrongConfiguration,
  wholeNumber,
} from '@action-platform/contracts/configuration';
import { services } from '@action-platform/contracts/services';
import { commonConfig } from '@action-platform/service-host';
import { z } from 'zod';
import type { LocalDirectory } from './local-directory.ts';
import type { Replicas } from './options.ts';
import { serviceEnvironment } from './stack/service-environment.ts';
import { sessionEnvironment } from './stack/session-environment.ts';

const LAST_PORT = 65_535;

export const startVariables = z.object({
  PORT: wholeNumber('The port of the first gateway; further ones follow.', {
    min: 1,
    max: LAST_PORT,
    byDefault: 8080,
  }),
  LOCAL_DIR: z
    .string()
    .default('.local')
    .describe(
      'The folder of data, keys and logs. Stacks with different values of `PORT` and `LOCAL_DIR` run side by side.',
    ),
  XDG_CACHE_HOME: z
    .string()
    .default('~/.cache')
    .describe('The folder whose `action-platform/` caches fetched programs, for every checkout.'),
  MONGODB_URL: optionalText(
    'A MongoDB to use instead of starting one, with a user that may create users: each service gets its own.',
  ),
  NATS_URL: optionalText(
    'A NATS server to use instead of starting one. It needs the bus users of `keys/nats/nats-server.conf` in `LOCAL_DIR`, which the first start creates.',
  ),
});

/** The address of the local issuer, before it has one. */
const ANY_ADDRESS = 'http://127.0.0.1';

/**
 * Checks the variables of `npm start` and of each process before the start.
 *
 * @throws WrongConfiguration, which names all errors at once.
 */
export function readStartConfiguration(
  environment: NodeJS.ProcessEnv,
  directory: LocalDirectory,
  { gateway: gateways }: Replicas,
) {
  const problems = new Set<string>();
  const checked = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof WrongConfiguration)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return undefined;
    }
  };
  const own = checked(() => readConfig(startVariables, environment));
  const limits = checked(() => readConfig(commonConfig, environment));
  for (const name of services) {
    const schema = commonConfig.extend(ownVariablesOf(name).shape);
    checked(() => readConfig(schema, serviceEnvironment(name, directory, environment)));
  }
  checked(() => {
    const given: Environment = {
      ...serviceEnvironment('gateway', directory, environment),
      ...sessionEnvironment(environment, ANY_ADDRESS),
    };
    const config = readConfig(commonConfig.extend(ownVariables.gateway.shape), given);
    const issuers = sessionIssuers(config);
    consoleSignIn(config, issuers, mcpAuthorization(config, issuers)?.audience);
  });
  if ((own?.PORT ?? 0) + gateways - 1 > LAST_PORT)
    problems.add(`PORT: ${gateways} gateways need as many consecutive ports, at most ${LAST_PORT}`);
  if (problems.size > 0) throw new WrongConfiguration([...problems]);
  return { port: own!.PORT, limits: limits! };
}
