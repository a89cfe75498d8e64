import type { BusUser } from '../services/services.ts';
import { type Stream, streamSubject } from './streams/stream.ts';

/**
 * The subjects on which a bus user may publish because of a stream: with its messages under its own name; as a reader, with requests
 * to read; as the first reader, with requests to create it; as an operator, with requests to change its settings. No user may delete
 * a stream or a message. A service may not change a stream: a service that added other subjects to a stream would read their messages.
 */
export function streamPermissions(stream: Stream, user: BusUser): string[] {
  const { name, publishers, readers } = stream;
  const reads = readers.some((reader) => reader === user);
  const asked = [
    ...(readers[0] === user ? ['STREAM.CREATE'] : []),
    ...(reads || user === 'admin' ? ['STREAM.INFO'] : []),
    ...(reads ? ['STREAM.MSG.GET', 'DIRECT.GET'] : []),
    ...(user === 'admin' ? ['STREAM.UPDATE'] : []),
  ];
  return [
    ...(publishers.some((publisher) => publisher === user) ? [streamSubject(stream, user, '*')] : []),
    ...asked.map((request) => `$JS.API.${request}.${name}`),
  ];
}
