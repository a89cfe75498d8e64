export type { AuditTrail } from './auditing/audit-trail.ts';
export { bind } from './health/bind.ts';
export { failureLines } from './logging/failure-lines.ts';
export { LineLevels } from './logging/line-levels.ts';
export { ANSWERED } from './logging/log-lines.ts';
export type { Logger } from './logging/logger.ts';
export { collectGarbage } from './process/collect-garbage.ts';
export { type CommonConfig, commonConfig } from './process/config.ts';
export { keepStream } from './process/keep-stream.ts';
export { runService } from './process/run.ts';
export type { RunningService, ServiceDefinition, ServiceTools } from './process/service.ts';
export { startService } from './process/start.ts';
export { ApprovalSpent } from './serving/approval.ts';
export { type AskingContext, callOnward } from './serving/call-onward.ts';
export { comparedScalar, fittingOf, isAbout, stepsOf, valuesOf } from './serving/conditions.ts';
export type { CallContext, MemberContext, OperationContext } from './serving/context.ts';
export { outsideDataScope } from './serving/data-scope.ts';
export { describeIssues } from './serving/issues.ts';
export { collectionIdsOf } from './serving/named-collections.ts';
export { requireOwner } from './serving/require-owner.ts';
export {
  type CalledOperation,
  type ServedCall,
  serveCall,
  serveMemberRoute,
  serveOperation,
} from './serving/serve.ts';
export { similarName } from './serving/similar-name.ts';
export { TextStream } from './serving/text-stream.ts';
export { eraseStored, type StoredData, storesAny } from './serving/workspace-data.ts';
export type { RecentCalls } from './status/recent-calls.ts';
