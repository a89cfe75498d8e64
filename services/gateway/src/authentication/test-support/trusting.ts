import type { SessionIssuer } from '@action-platform/contracts/configuration';
import type { Logger } from '@action-platform/service-host';
import type { TestIssuer } from '@action-platform/testing';
import { SessionTokens } from '../session-tokens.ts';
import { keptLog } from './kept-log.ts';

/** The gateway's configuration of an issuer, with these settings. */
function settingsOf(of: TestIssuer, own: Partial<SessionIssuer> = {}): SessionIssuer {
  const { issuer, audience, jwksUrl } = of;
  return { issuer, audience, jwks_url: jwksUrl, workspace_claim: 'workspace_id', user_claim: 'sub', ...own };
}

/** Verifies the tokens of an issuer, with these settings. */
export function trusting(
  issuer: TestIssuer,
  own: Partial<SessionIssuer> = {},
  { maxLifetime = 86_400, log = keptLog().log }: { maxLifetime?: number; log?: Logger } = {},
): SessionTokens {
  return new SessionTokens({ issuers: [settingsOf(issuer, own)], maxLifetime, log });
}
