export { busHeaders } from '@action-platform/contracts';
export { type Bus, connectBus } from './bus.ts';
export { callService } from './call-service.ts';
export type { BusOptions } from './connect.ts';
export { isSilent } from './failover/replica-membership.ts';
export { retryAfterOf } from './headers.ts';
export { type ByteCredit, CHUNK_BYTES } from './long-answers/protocol.ts';
export { inChunks } from './long-answers/send.ts';
export { nkeyAuthenticator } from './nkey.ts';
export type { BusRequestOptions } from './request/options.ts';
export { refusalOf } from './request/refusal.ts';
export type { BusReply } from './request/reply.ts';
export type { BusAnswer, BusHandler, BusRequest } from './serve/server.ts';
export {
  type BusKey,
  createBusKeys,
  natsAccountsConfig,
  natsServerConfig,
  publicKeysOf,
  requireRoomForAnswers,
} from './server-config.ts';
export { readOn, type StreamProgress } from './streams/read-on.ts';
export type { StoredMessage } from './streams/stored-message.ts';
export type { StreamState, Streams } from './streams/streams.ts';
export type { SurveyOptions } from './survey.ts';
