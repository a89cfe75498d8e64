import { z } from 'zod';
import { trustedUrl } from './sessions.ts';
import { flag, jsonText } from './variables.ts';
import { WrongConfiguration } from './wrong-configuration.ts';

/** An issuer of the tokens of workloads, in the form of `WORKLOAD_ISSUERS`. */
const workloadIssuer = z.strictObject({
  issuer: trustedUrl,
  /** By default the one of its metadata (OpenID Connect Discovery 1.0, section 4). */
  jwks_url: trustedUrl.optional(),
});
export type WorkloadIssuer = z.output<typeof workloadIssuer>;

/** The environment variables of the sign-in of agents and jobs. */
export const agentVariables = z.object({
  AGENT_SIGN_IN: flag(
    '`true` lets agents sign in at this platform, with the consent of a Member at the console. It needs PUBLIC_URL and CONSOLE_CLIENT_ID. [Agents](agents.md#agents-that-sign-in).',
  ),
  WORKLOAD_ISSUERS: jsonText(z.array(workloadIssuer))
    .default([])
    .describe(
      'The issuers whose workload tokens jobs may show in place of a secret, as a JSON array of `{"issuer": …, "jwks_url"?: …}`. It needs PUBLIC_URL. [Jobs](jobs.md).',
    ),
});

/** Checks that what sign-in needs is configured. Throws WrongConfiguration. */
export function requireAgentSettings(
  { AGENT_SIGN_IN, WORKLOAD_ISSUERS }: z.output<typeof agentVariables>,
  {
    PUBLIC_URL,
    CONSOLE_CLIENT_ID,
  }: { readonly [Name in 'PUBLIC_URL' | 'CONSOLE_CLIENT_ID']?: string | undefined },
): void {
  const problems = [];
  if (AGENT_SIGN_IN && (PUBLIC_URL === undefined || CONSOLE_CLIENT_ID === undefined))
    problems.push('AGENT_SIGN_IN needs PUBLIC_URL and CONSOLE_CLIENT_ID');
  if (WORKLOAD_ISSUERS.length > 0 && PUBLIC_URL === undefined)
    problems.push('WORKLOAD_ISSUERS needs PUBLIC_URL');
  if (problems.length > 0) throw new WrongConfiguration(problems);
}
