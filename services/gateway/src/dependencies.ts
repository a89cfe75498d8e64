import { TokenBucket } from '@action-platform/admission';
import {
  type ConsoleSignIn,
  consoleSignIn,
  mcpAuthorization,
  mcpResource,
  requireAgentSettings,
  sessionIssuers,
} from '@action-platform/contracts/configuration';
import type { Operation } from '@action-platform/contracts/operations';
import { Cursors } from '@action-platform/sealing';
import type { ServiceTools } from '@action-platform/service-host';
import { Authenticator } from './authentication/authenticator.ts';
import { RefusalLog } from './authentication/refusal-log.ts';
import { SessionTokens } from './authentication/session-tokens.ts';
import type { GatewayConfig } from './config.ts';
import { DescribedOperations } from './descriptions/described-operations.ts';
import { CallAdmission } from './dispatch/admission.ts';
import { CallAudit } from './dispatch/call-audit.ts';
import { FairnessKeys } from './dispatch/fairness-keys.ts';
import { CallHandler } from './dispatch/handle-call.ts';
import { Notifier } from './dispatch/waiting/notifier.ts';
import { Measurements } from './http/observing/measure.ts';
import { missingServices } from './missing-services.ts';

/** Builds what the parts of a gateway that offers these operations share, and begins to fetch the keys of the issuers of session tokens. */
export function createDependencies(
  { config, bus, log, leaving, recent, sealKeys, trail }: ServiceTools<GatewayConfig>,
  operations: ReadonlyMap<string, Operation>,
) {
  const unauthenticated = new TokenBucket(config.GATEWAY_UNAUTHENTICATED_PER_SECOND);
  const issuers = sessionIssuers(config);
  const mcpSignIn = mcpAuthorization(config, issuers);
  const signIn = consoleSignIn(config, issuers, mcpSignIn?.audience);
  requireAgentSettings(config, config);
  const sessions = new SessionTokens({ issuers, maxLifetime: config.SESSION_MAX_LIFETIME, log });
  sessions.fetchKeys();
  const refusals = new RefusalLog(log);
  const fairnessKeys = new FairnessKeys();
  const audit = new CallAudit(trail);
  const accepting = (tokens: SessionTokens) =>
    new Authenticator(tokens, refusals, unauthenticated, fairnessKeys);
  const admission = new CallAdmission({
    authenticator: accepting(signIn ? sessions.alsoFor(tokensOf(signIn)) : sessions),
    fairnessKeys,
    audit,
    log,
    limits: config,
  });
  const notifier = new Notifier(bus, leaving);
  return {
    config,
    bus,
    log,
    /** Authenticates and admits every call of a Member or a grant. */
    admission,
    calls: new CallHandler(bus, admission, notifier),
    /** How clients of the Model Context Protocol sign in; undefined when they do not. */
    mcpResource: mcpResource(config, mcpSignIn),
    /** Authenticates the callers of that protocol: their tokens are not those of the HTTP interface alone. */
    mcpAuthenticator: accepting(mcpSignIn ? sessions.alsoFor(mcpSignIn) : sessions),
    /** How Members sign in at the console; undefined without one. */
    consoleSignIn: signIn,
    measurements: new Measurements(recent),
    unauthenticated,
    audit,
    refusals,
    /** The operations that are offered, by id. */
    operations,
    /** The operations with their descriptions, and those of Workspaces. */
    described: new DescribedOperations(bus, operations),
    missingServices: missingServices(bus, config),
    missingIssuers: () => sessions.missingIssuers(),
    /** Makes the cursors of events that are sent one by one. */
    cursors: new Cursors(sealKeys),
    /** Notifies callers of operations that wait. */
    notifier,
    /** Aborted when this gateway is about to stop. */
    leaving,
  };
}

export type Dependencies = ReturnType<typeof createDependencies>;

/** The ID tokens of the console. */
function tokensOf({ issuer, clientId }: ConsoleSignIn) {
  return { servers: [issuer], audience: clientId, tellsSignIn: true };
}
