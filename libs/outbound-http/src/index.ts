export { readNetworks } from './addresses.ts';
export { AddressRefused, DestinationCheck } from './destination-check.ts';
export { type DestinationPolicy, destinationUrl } from './destination-url.ts';
export { NotSent, requestFailure } from './failure.ts';
export { AnswerTooLarge, readAtMost } from './read-at-most.ts';
export { type OutboundAnswer, type OutboundRequest, Sender } from './sender.ts';
