export { readNetworks } from './addresses.ts';
export { AddressRefused, DestinationCheck, type Resolve } from './destination-check.ts';
export { type DestinationPolicy, destinationUrl } from './destination-url.ts';
