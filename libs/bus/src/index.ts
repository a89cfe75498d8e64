export { busHeaders } from '@action-platform/contracts/bus';
export type { BusAnswer, BusHandler, BusRequest } from './answer.ts';
export { type Bus, connectBus } from './bus.ts';
export { callService } from './calls/call-service.ts';
export { refusalOf } from './calls/refusal.ts';
export type { ByteCredit } from './long-answers/protocol.ts';
export type { BusReply } from './long-answers/reply.ts';
export type { BusOptions } from './nats/connect.ts';
export { nkeyAuthenticator } from './nats/nkey.ts';
export { isSilent } from './replicas/roster.ts';
export type { SurveyOptions } from './replicas/survey.ts';
export type { BusRequestOptions } from './request.ts';
export {
  type BusKey,
  createBusKeys,
  natsAccountsConfig,
  natsServerConfig,
  publicKeysOf,
  requireRoomForAnswers,
} from './server/server-config.ts';
export { readOn, type StreamProgress } from './streams/read-on.ts';
export type { StoredMessage } from './streams/stored-message.ts';
export type { StreamState, Streams } from './streams/streams.ts';
export { CHUNK_BYTES, inChunks } from './wire/chunks.ts';
export { retryAfterOf } from './wire/headers.ts';
