export { bind } from './health/bind.ts';
export type { Missing } from './health/readiness.ts';
export { ANSWERED, type Logger } from './logging.ts';
export { LineLevels } from './observing/line-levels.ts';
export { type CommonConfig, commonConfig } from './process/config.ts';
export { runService } from './process/run.ts';
export {
  type RunningService,
  type ServiceDefinition,
  type ServiceParts,
  type ServiceTools,
  startService,
} from './process/service.ts';
export { type ServedCall, serveCall, serveMemberCall } from './serving/call.ts';
export { callOnward } from './serving/call-onward.ts';
export type { CallContext, MemberCallContext, OperationContext, Outcome } from './serving/context.ts';
export { type ServedOperation, serveOperation } from './serving/operation.ts';
export type { RecentCalls } from './status/recent-calls.ts';
