import { type HardRequest, MAX_BODY, type Surroundings } from './hard-request.ts';
import { escaped, tinyMembers } from './json-texts.ts';

/** Far enough ahead, and within what is allowed. */
const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();

/** What can be done with grants, as large as can be, valid and not. */
export function grantRequests({ collectionIds }: Surroundings): readonly HardRequest[] {
  const create = (kind: 'operation' | 'routine', label: string, body: string, weight = 1): HardRequest => ({
    label: `create ${kind} grant: ${label}`,
    method: 'POST',
    path: `/api/v1/${kind}-grants`,
    body,
    weight,
  });
  const get = (label: string, path: string, weight: number): HardRequest => ({
    label,
    method: 'GET',
    path,
    body: '',
    weight,
  });
  const routine = (operations: readonly string[], ids: string, key: string) =>
    `{"name":"${escaped(100)}","operations":${JSON.stringify(operations)},"data":{"collectionIds":${ids}},"outputDefinition":"${escaped(200)}","maximumCadence":{"invocations":1000000,"periodSeconds":60},"expiresAt":"${expiresAt}","idempotencyKey":"${key}"}`;
  const operations = Array.from({ length: 100 }, () => 'record_store.push_record');
  const valid = JSON.stringify(collectionIds);
  const long = (count: number) =>
    `[${Array(count)
      .fill(`"${escaped(200)}"`)
      .join()}]`;
  return [
    create('routine', 'largest, its key again', routine(operations, valid, 'again'), 4),
    create('routine', 'ids of no Collection', routine(operations, long(800), 'no-collection'), 2),
    create('routine', 'ids of no Collection, plain', routine(operations, plainIds(1000), 'plain'), 4),
    create('routine', 'too many ids', routine(operations, plainIds(4500), 'many'), 4),
    create('routine', 'one id too long', routine(operations, `["${'x'.repeat(1_000_000)}"]`, 'long')),
    create('routine', 'no operations', routine(Array(100).fill('x'.repeat(200)), '[]', 'none'), 4),
    create('routine', 'wrong values', `{"operations":[${Array(4900).fill('1').join()}]}`, 4),
    create('routine', 'tiny members', tinyMembers(MAX_BODY - 10)),
    create('operation', 'tiny members', tinyMembers(64_000), 4),
    create(
      'operation',
      'largest',
      `{"operationScope":"record_store.push_record","name":"${escaped(100)}","expiresAt":"${expiresAt}","idempotencyKey":"${escaped(200)}"}`,
      4,
    ),
    get('list routine grants: largest page', '/api/v1/routine-grants?limit=200', 4),
    get('list operation grants', '/api/v1/operation-grants?limit=200', 4),
    get('list routine grants: forged cursor', `/api/v1/routine-grants?cursor=${'x'.repeat(1000)}`, 4),
    get('discovery', '/api/v1/operations', 8),
    get('openapi', '/api/v1/openapi.json', 2),
    get('docs', '/docs', 2),
  ];
}

function plainIds(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => `col_${index}_`.padEnd(200, 'x')));
}
