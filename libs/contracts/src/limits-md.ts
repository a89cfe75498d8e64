import {
  CADENCE_RUNS_MAX,
  CALL_ANSWER_MAX_BYTES,
  defaultLimits,
  HELD_BODY_MAX_BYTES,
  limitedThings,
  limitKinds,
  limitsSchema,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  OUTPUT_DEFINITION_MAX_LENGTH,
} from './limits/limits.ts';
import { operations } from './operations/all-operations.ts';
import { httpRoutes } from './routes/http-routes.ts';
import { largestBody } from './schema/largest-body.ts';

/** docs/limits.md: every declared limit. @public `npm run docs` writes it */
export const generated = {
  file: new URL('../../../docs/limits.md', import.meta.url),
  content: [
    '# Limits',
    '',
    'Every limit with its default. `npm run docs` generates this page from the declarations in `libs/contracts`.',
    '',
    ...Object.entries(limitedThings).flatMap(([of, heading]) => [
      `## ${heading}`,
      '',
      '| Variable | Default | Meaning | Among calls at the same time |',
      '|---|---|---|---|',
      ...settable(of as keyof typeof limitedThings),
      '',
    ]),
    'Each is an environment variable; give every process the same values. A request above a limit gets 400, a call beyond the concurrency limit 503',
    'with `Retry-After`; nothing was done in either case.',
    '',
    'An *exact* limit is never exceeded. Things that are *counted before* a new one is stored may exceed their limit, by one for each call at work at the same time: at most `SERVICE_MAX_AT_WORK` in each replica of the',
    'service. E-mails may exceed theirs by a further sixteenth for each replica, revisions by the pushes of up to a second. Every other limit bounds one request, one time or one process by itself.',
    '',
    '## Shares',
    '',
    'Of calls and of bytes in flight, in a gateway and in a replica of a service, a Workspace may hold up to eight times the free amount; a caller up to eight times what its',
    'Workspace may still take; calls of one service up to sixteen times the free amount in the gateway. So of 512 calls one Workspace alone gets 455 and one',
    'caller alone 449, two Workspaces get 240 each, and a newcomer gets one. See [architecture](architecture.md#overload-protection).',
    '',
    '## Bodies',
    '',
    'The largest body of each route, in bytes: the most that its schema accepts, with generous white space.',
    '',
    '| Route | Bytes |',
    '|---|---|',
    ...bodies(),
    '',
    '## Fixed',
    '',
    '| Quantity | Limit |',
    '|---|---|',
    `| Levels of objects and arrays in a body | ${MAX_JSON_DEPTH} |`,
    `| Values in a body, objects and arrays included, outside of a payload and of a custom operation | ${MAX_JSON_VALUES} |`,
    `| Characters of an output definition | ${OUTPUT_DEFINITION_MAX_LENGTH} |`,
    `| Runs of a cadence | ${CADENCE_RUNS_MAX} |`,
    `| Bytes of a body that waits for an approval | ${HELD_BODY_MAX_BYTES} |`,
    `| Bytes of an answer from one service to another | ${CALL_ANSWER_MAX_BYTES} |`,
    '',
    'The schemas of the API reference, `/docs` on a running gateway, have the bounds of names, texts and lists.',
    '',
  ].join('\n'),
};

function settable(of: keyof typeof limitedThings): string[] {
  return Object.entries(limitsSchema.shape)
    .map(([name, schema]) => ({
      name,
      about: schema.meta() as { description: string; of: string; kind: keyof typeof limitKinds },
    }))
    .filter(({ about }) => about.of === of)
    .map(
      ({ name, about }) =>
        `| \`${name}\` | \`${defaultLimits[name as keyof typeof defaultLimits]}\` | ${about.description} | ${limitKinds[about.kind]} |`,
    );
}

function bodies(): string[] {
  return httpRoutes(operations).flatMap(({ method, path, requestBody }) =>
    requestBody === undefined
      ? []
      : [`| \`${method.toUpperCase()} ${path}\` | ${largestBody(requestBody.schema, defaultLimits)} |`],
  );
}
