export { busHeaders } from '@action-platform/contracts';
export { type Bus, connectBus } from './bus.ts';
export { callService } from './call-service.ts';
export type { BusOptions } from './connection.ts';
export { type ByteCredit, CHUNK_BYTES } from './long-answers/protocol.ts';
export { inChunks } from './long-answers/send.ts';
export { nkeyAuthenticator } from './nkey.ts';
export { refusalOf } from './refusal.ts';
export { isSilent } from './replicas/attendance.ts';
export type { BusReply } from './reply.ts';
export type { BusRequestOptions } from './request.ts';
export type { BusAnswer, BusHandler, BusRequest } from './server.ts';
export {
  type BusKey,
  createBusKeys,
  natsAccountsConfig,
  natsServerConfig,
  publicKeysOf,
} from './server-config.ts';
export type { SurveyOptions } from './survey.ts';
