import { body, call, type HardRequest, MAX_BODY, type Surroundings } from './hard-request.ts';
import { emptyArrays, escapes, nested, nestedMembers, numbers, tinyMembers } from './json-texts.ts';

/** The largest payload, the largest body, and the largest text that is worked on where it is; less what is around. */
const PAYLOAD = 262_144 - 100;
const BODY = MAX_BODY - 400;
const IN_PLACE = 32 * 1024 - 400;
/** The body is the first of 64 levels. */
const LEVELS = 63;

/** Calls of the record store as large, deep and manifold as can be, valid and not. */
export function recordRequests({
  collectionId: collection_id,
  changed,
  largest,
  pageOfMany,
  pageOfLarge,
  history,
}: Surroundings): readonly HardRequest[] {
  const push = (label: string, payload: string, weight?: number) =>
    call('record_store.push_record', label, body({ collection_id }, 'payload', payload), weight);
  const keyed = (label: string, payload: string) =>
    call(
      'record_store.push_record',
      `with a key, ${label}`,
      body({ collection_id, idempotency_key: label }, 'payload', payload),
    );
  const patch = (label: string, text: string, weight?: number) =>
    call('record_store.patch_record', label, body({ ...changed }, 'patch', text), weight);
  const read = (operation: string, label: string, input: object, weight?: number) =>
    call(`record_store.${operation}`, label, JSON.stringify(input), weight);
  const tiny = tinyMembers(PAYLOAD);
  return [
    push('tiny members', tiny),
    push('tiny members, in place', tinyMembers(IN_PLACE), 4),
    push('deepest members', nestedMembers(PAYLOAD, LEVELS)),
    push('deepest members, in place', nestedMembers(IN_PLACE, LEVELS), 4),
    push('one string of escapes', `{"a":${escapes(PAYLOAD)}}`),
    push('one number', `{"a":${'7'.repeat(PAYLOAD)}}`),
    push('long numbers', `{"a":${numbers(PAYLOAD, 300)}}`),
    push('empty arrays', `{"a":${emptyArrays(PAYLOAD)}}`),
    push('empty arrays, in place', `{"a":${emptyArrays(IN_PLACE)}}`, 4),
    push('too large: tiny members', tinyMembers(BODY)),
    push('too large: escapes', `{"a":${escapes(BODY)}}`),
    push('too deep', `{"a":${nested(LEVELS)}}`, 4),
    push('too deep: brackets alone', '['.repeat(BODY)),
    push('one name twice, at the end', `${tiny.slice(0, -1)},"0":1}`),
    push('half a surrogate pair, in place', `{"a":[${'1,'.repeat(IN_PLACE / 2 - 100)}"\\ud800"]}`, 4),
    push('cut short', tinyMembers(BODY).slice(0, -1)),
    call(
      'record_store.push_record',
      'an unknown field of all',
      body({ collection_id }, 'x', tinyMembers(BODY)),
    ),
    call(
      'record_store.push_record',
      'as many values as are looked at',
      body({ collection_id }, 'payload', `{},"x":[${Array(4990).fill('"x"').join()}]`),
      4,
    ),
    call('record_store.push_record', 'as many unknown fields', tinyMembers(IN_PLACE), 4),
    call(
      'record_store.push_record',
      'white space',
      `{"collection_id":"c",${' '.repeat(BODY - 200)}"payload":{}}`,
    ),
    keyed('tiny members', tiny),
    keyed('long numbers', `{"a":${numbers(PAYLOAD, 300)}}`),
    keyed('numbers in place', `{"a":${numbers(IN_PLACE, 15)}}`),
    call('record_store.replace_record', 'tiny members', body({ ...changed }, 'payload', tiny)),
    patch('touches every member', tinyMembers(PAYLOAD, '2')),
    patch('removes every member', tinyMembers(PAYLOAD - 90_000, 'null')),
    patch('one member', '{"0":3}', 4),
    patch('too large', tinyMembers(BODY)),
    patch('deepest', nestedMembers(IN_PLACE, LEVELS), 2),
    read('get_record', 'largest', largest, 8),
    read('list_records', 'page of many', { collection_id: pageOfMany, limit: 200, state: 'all' }, 8),
    read('list_records', 'page of large', { collection_id: pageOfLarge, limit: 200 }, 8),
    read('get_record_history', 'page', { ...history, limit: 200 }, 4),
    read('get_record_history', 'all of it', history, 2),
    read('list_collections', 'largest page', { limit: 200 }, 8),
    read('list_collections', 'forged cursor', { limit: 200, cursor: 'x'.repeat(1000) }, 4),
  ];
}
