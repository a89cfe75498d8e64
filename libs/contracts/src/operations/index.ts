export * from '../declaration/operation.ts';
export * from './all-operations.ts';
export type { AuditFilters } from './audit/filters.ts';
export {
  collectionFields,
  collectionNamesIn,
  isCollectionName,
  withCollectionIds,
} from './collection-names.ts';
export { type Connector, type ConnectorAuth, type ConnectorTool, TOOLS_MAX } from './custom/connector.ts';
export { isCustomId } from './custom/custom-id.ts';
export * from './custom/definition.ts';
export { customCall, operationOf } from './custom/operation-of.ts';
export { hiddenCharacter, visible } from './custom/problem.ts';
export * from './custom/target.ts';
export type { DialectSchema } from './custom/value-check.ts';
export * from './declared.ts';
export * from './descriptor.ts';
export { type FeedPage, feedOf, POSITIONS_IN_A_PAGE } from './events/feed-page.ts';
export { LATEST } from './events/list-events.ts';
export { type Granted, grantedExample, grantedParameters, NAMED_IDS_MAX } from './granted-tool.ts';
export { FILE_TEXT_MAX_BYTES } from './knowledge/get-file.ts';
export type { PushOutcome, PushRecordsInput } from './record-store/many-records.ts';
export type { Collection, RecordState, Revision, StoredRecord } from './record-store/shapes.ts';
export * from './tool.ts';
