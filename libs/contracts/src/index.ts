export * from './audit/entry.ts';
export * from './authority/grant-secret.ts';
export * from './authority/principal.ts';
export * from './bus/subjects.ts';
export * from './calls/admin/declared.ts';
export { DELEGATED_PREFIX, mailboxSettings, mailProviders } from './calls/admin/mail-providers.ts';
export * from './calls/all-calls.ts';
export * from './calls/authority.ts';
export * from './calls/custom-operations.ts';
export * from './calls/headers.ts';
export * from './calls/health.ts';
export * from './calls/member-mailboxes.ts';
export type { Origin, Originated } from './calls/origin.ts';
export * from './calls/timed.ts';
export * from './calls/visible-data.ts';
export { eraseCall, exportCall, storesCall } from './calls/workspace-data.ts';
export {
  type Change,
  type ChangeEvent,
  type ChangeEventData,
  changeEvent,
  changeEventOf,
} from './change-events/change-event.ts';
export { type ChangeEventType, changeEventTypes } from './change-events/types.ts';
export { type ConsoleSignIn, consoleSignIn } from './configuration/console.ts';
export { type McpAuthorization, mcpAuthorization } from './configuration/mcp-authorization.ts';
export { ownVariables, ownVariablesOf } from './configuration/own-variables.ts';
export { type Environment, readConfig } from './configuration/read-config.ts';
export {
  isLoopback,
  type SessionIssuer,
  sessionIssuers,
  sessionVariables,
} from './configuration/sessions.ts';
export { optionalPort, optionalText, wholeNumber } from './configuration/variables.ts';
export { WRONG_CONFIGURATION_EXIT, WrongConfiguration } from './configuration/wrong-configuration.ts';
export { isCustomId } from './custom-operations/custom-id.ts';
export type { CustomOperation } from './custom-operations/definition.ts';
export { customCall, operationOf } from './custom-operations/operation-of.ts';
export type { DialectSchema } from './custom-operations/value-check.ts';
export { type Call, operationSubject } from './declaration/call.ts';
export { defineMemberRoute, isMemberRoute, type MemberRoute } from './declaration/member-route.ts';
export * from './declaration/operation.ts';
export type { Route, RouteAddress, RouteAnswer } from './declaration/route.ts';
export * from './errors/action-error.ts';
export { FRESH_SIGN_IN_SECONDS, freshSignInChallenge } from './errors/authority.ts';
export * from './errors/catalogue.ts';
export type { DeclaredRefusal } from './errors/declared-refusal.ts';
export type { Place } from './errors/entry.ts';
export { errorEnvelope } from './errors/error-body.ts';
export { type Effect, failureOf } from './errors/groups.ts';
export { limitReached } from './errors/limit-reached.ts';
export { noSuchMember, noSuchWorkspace } from './errors/unknown-names.ts';
export { events } from './events/all-events.ts';
export { cancelledEvent } from './events/cancelled.ts';
export type { Event } from './events/event.ts';
export { logLevelEvent, logLevels } from './events/log-level.ts';
export { MOST_REPLICAS, type ReplicaAnnouncement, replicaEvent } from './events/replica.ts';
export { type ReplicaStatus, statusSurvey } from './events/status.ts';
export { storedEvent } from './events/stored.ts';
export { type Survey, type SurveyAnswer, surveyEvent } from './events/survey.ts';
export { TRACES_IN_A_MESSAGE, telemetryKeepEvent } from './events/telemetry-keep.ts';
export {
  type StoredSpan,
  type TraceAnswer,
  type TraceQuestion,
  traceAnswerLimits,
  traceSurvey,
} from './events/trace.ts';
export { writtenEvent } from './events/written.ts';
export * from './ids.ts';
export * from './limits.ts';
export * from './operations/all-operations.ts';
export type { AuditFilters } from './operations/audit/filters.ts';
export * from './operations/declared.ts';
export * from './operations/descriptor.ts';
export { type FeedPage, feedOf, POSITIONS_IN_A_PAGE } from './operations/events/feed-page.ts';
export { LATEST } from './operations/events/list-events.ts';
export { type Granted, grantedParameters } from './operations/granted-tool.ts';
export * from './operations/mcp-tool.ts';
export type { Collection, RecordState, Revision, StoredRecord } from './operations/record-store/shapes.ts';
export * from './operations/tool.ts';
export { type Resources, resources } from './resources/all-resources.ts';
export type { NewMailbox } from './resources/app-connections/mailbox.ts';
export * from './resources/app-connections/routes.ts';
export * from './resources/app-connections/shapes.ts';
export * from './resources/approvals/routes.ts';
export type {
  Approval,
  ApprovalRule,
  ApprovalRules,
  ApprovalStatus,
  ListedApproval,
} from './resources/approvals/shapes.ts';
export { type AuditExportFormat, auditRoutes } from './resources/audit.ts';
export * from './resources/custom-operations/routes.ts';
export type { CustomOperationChange } from './resources/custom-operations/shapes.ts';
export { EVENT_STREAM } from './resources/events.ts';
export * from './resources/grants/routes.ts';
export * from './resources/grants/shapes.ts';
export * from './resources/members/routes.ts';
export type { Member } from './resources/members/shapes.ts';
export * from './resources/senders/routes.ts';
export * from './resources/senders/shapes.ts';
export * from './resources/webhooks/routes.ts';
export * from './resources/webhooks/shapes.ts';
export * from './routes/console.ts';
export * from './routes/docs.ts';
export * from './routes/health.ts';
export * from './routes/http-routes.ts';
export { mcpMetadataRoutes, mcpRoutes } from './routes/mcp.ts';
export * from './routes/operations.ts';
export { tokenIssuer, tokenIssuerRoutes } from './routes/token-issuer.ts';
export { emailAddress } from './schema/email-address.ts';
export { exactFields } from './schema/exact-object.ts';
export { largestBody } from './schema/largest-body.ts';
export { plainMessage } from './schema/plain-message.ts';
export { describeDefault, type JsonSchema, publishedSchema } from './schema/published-schema.ts';
export { idempotencyKeyField } from './schema/request-headers.ts';
export { codePointLength } from './schema/text.ts';
export {
  type BusUser,
  busUsers,
  type ProcessName,
  processes,
  type ServiceName,
  services,
} from './services.ts';
export { AUDIT, EVENTS, streams } from './streams/all-streams.ts';
export {
  partsOfStreamSubject,
  type Stream,
  streamSubject,
  streamSubjects,
} from './streams/stream.ts';
export { timeouts } from './timeouts.ts';
export { toolName } from './tool-name.ts';
