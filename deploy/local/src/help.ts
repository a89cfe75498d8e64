import { REPLICAS_FORM } from './options.ts';
import { startVariables } from './start-configuration.ts';

/** The text of `npm start -- --help`. */
export function help(): string {
  const variables = Object.entries(startVariables.shape).map(([name, schema]) => {
    return `  ${name.padEnd(16)}${(schema.description ?? '').replaceAll('`', '')}`;
  });
  return [
    'Usage: npm start [-- --replicas name=count,…]',
    '',
    'Runs the whole platform on this machine until Ctrl-C, and prints an address, a token and a first call.',
    '',
    `  --replicas      ${REPLICAS_FORM}`,
    '  --help          this text',
    '',
    'Variables (docs/configuration.md has those of the services, which may be set as well):',
    ...variables,
    '  SESSION_…       an issuer of your own, trusted beside that of the demo: docs/sign-in.md',
    '',
  ].join('\n');
}
