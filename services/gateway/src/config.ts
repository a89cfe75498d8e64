import { commonConfig } from '@action-platform/service-host';
import { z } from 'zod';
import { isTrustedKeysUrl } from './authentication/session-tokens.ts';

/** The environment variables of the gateway. */
export const gatewayConfig = commonConfig.extend({
  HOST: z.string().default('127.0.0.1').describe('The address to listen on.'),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe('The port to listen on; 0 takes a free one.'),
  SESSION_ISSUER: z.string().describe('The issuer (iss) of Member session tokens.'),
  SESSION_AUDIENCE: z.string().describe('The audience (aud) that session tokens must name.'),
  SESSION_JWKS_URL: z
    .url()
    .refine(isTrustedKeysUrl, 'must begin with https://; plain http is for this machine (127.0.0.1) alone')
    .describe(
      "Where the issuer's public keys are (RFC 7517); they may rotate. https, or http on this machine.",
    ),
  SESSION_MAX_LIFETIME: z.coerce
    .number()
    .int()
    .min(1)
    .default(86_400)
    .describe('The longest a session token may live, in seconds; one that lives longer is refused.'),
});
export type GatewayConfig = z.output<typeof gatewayConfig>;
