import { z } from 'zod';
import { field } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { type Problem, problem, under } from './problem.ts';
import type { DialectSchema } from './value-check.ts';

const name = text({ min: 1, max: 64 });

/** The most characters in the name of a tool. */
export const TOOL_NAME_MAX = 200;
const OF_TOOL = ['tool', 'digest'] as const;
const OF_HTTP = ['method', 'path', 'query', 'body'] as const;

/** The form of the names of connectors. */
export const CONNECTOR_NAME = /^[a-z][a-z0-9_]{0,29}$/;

/** The form of the names of inputs in a path. */
const NAMED = /\{([A-Za-z][A-Za-z0-9_]{0,63})\}/g;

/** The characters of a path (RFC 3986, section 3.3), with names of inputs. */
const PATH = new RegExp(String.raw`^/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|${NAMED.source})*$`);

const repeats = ['key', 'safe', 'never'] as const;
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const forms = ['json', 'form'] as const;

interface InConnector {
  readonly connector: string;
  /** Of a write. */
  readonly repeats?: (typeof repeats)[number] | undefined;
}

/** A request of the API behind a connector. */
export interface HttpTarget extends InConnector {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly query?: string[] | undefined;
  readonly body?: (typeof forms)[number] | undefined;
}

/** A tool of the MCP server behind a connector, as an Owner saw it. */
export interface McpTarget extends InConnector {
  readonly tool: string;
  readonly digest: string;
}

/** Where the calls of a custom operation go. */
export type Target = HttpTarget | McpTarget;

/** Whether a target is a tool of an MCP server. */
export function isTool(target: Target): target is McpTarget {
  return 'tool' in target;
}

/** Where the calls of a custom operation go: `method` and `path` of an API, or `tool` and `digest` of an MCP server. */
export const target = z
  .strictObject({
    connector: field(
      z.string().regex(CONNECTOR_NAME, 'must be the name of a connector'),
      'Its name.',
      'shop',
    ),
    method: field(z.enum(methods).optional(), 'The method of the request.', 'post'),
    path: field(
      text({ min: 1, max: 1000 })
        .regex(PATH, 'must be a path such as /orders/{order_id}, without ? and #')
        .optional(),
      'Beneath the address of the connector. `{order_id}` is a required input, sent as one encoded segment.',
      '/orders/{order_id}/refunds',
    ),
    query: field(z.array(name).max(50).optional(), 'The inputs that are sent in the query.', ['notify']),
    body: field(
      z.enum(forms).optional(),
      'The form of the body, which has all other inputs: JSON without it.',
      'json',
    ),
    tool: field(
      text({ min: 1, max: TOOL_NAME_MAX }).optional(),
      'For an MCP server, in the place of method and path: the name of a tool, which takes the whole input.',
      'create_issue',
    ),
    digest: field(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be the digest of a tool: 64 hexadecimal digits')
        .optional(),
      'The digest of the tool, as `tools` of the connector lists it: a tool that was changed is not called.',
      '0'.repeat(64),
    ),
    repeats: field(
      z.enum(repeats).optional(),
      'What a repeated write does: `key`, its request has the same idempotency key; `safe`, it is sent again; `never`, it is sent once. Without it `key` where the connector has an `idempotencyHeader`, else `safe` for put and delete, else `never`.',
      'never',
    ),
  })
  .superRefine((value, { addIssue }) => {
    const isOfTool = value.tool !== undefined || value.digest !== undefined;
    const [needed, others] = isOfTool ? [OF_TOOL, OF_HTTP] : [OF_HTTP.slice(0, 2), []];
    const missing = needed.find((each) => value[each] === undefined);
    if (missing !== undefined) addIssue({ code: 'custom', path: [missing], message: 'is required' });
    const extra = others.find((each) => value[each] !== undefined);
    if (extra !== undefined)
      addIssue({ code: 'custom', path: [extra], message: 'does not go with the tool of an MCP server' });
  }) as unknown as z.ZodType<Target, Target>;

/** The names of inputs in the path of a target, once each. */
export function namesInPath({ path }: Pick<HttpTarget, 'path'>): string[] {
  return [...new Set(path.matchAll(NAMED).map(([, name]) => name!))];
}

/** A path with a text in the place of each of its names. */
export function pathWith({ path }: Pick<HttpTarget, 'path'>, textOf: (name: string) => string): string {
  return path.replaceAll(NAMED, (_match, name: string) => textOf(name));
}

/** Whether a path has a segment that means another one (RFC 3986, section 3.3), or an empty one before its end. */
export function hasUnsafeSegment(path: string): boolean {
  const segments = path.split('/').slice(1);
  return segments.some(
    (segment, index) => /^(\.|%2e){1,2}$/i.test(segment) || (segment === '' && index < segments.length - 1),
  );
}

/** The inputs that a target sends as its body. */
export function namesInBody(target: HttpTarget, { properties = {} }: DialectSchema): string[] {
  const elsewhere = new Set([...namesInPath(target), ...(target.query ?? [])]);
  return Object.keys(properties).filter((each) => !elsewhere.has(each));
}

/** The parts of a definition that its target has to fit. */
interface Targeting {
  readonly target: Target;
  readonly inputSchema: DialectSchema;
  readonly refusals: readonly unknown[];
}

/** The first reason why a target does not fit its definition; undefined for one that fits. */
export function targetProblem({ target, inputSchema, refusals }: Targeting): Problem | undefined {
  if (refusals.length > 0) return under('refusals', problem('are of endpoints that answer with codes'));
  if (isTool(target)) return undefined;
  const { method, path, query = [], body } = target;
  const { properties = {}, required = [] } = inputSchema;
  const isScalar = (each: string) => !['array', 'object'].includes(properties[each]!.type);
  const inPath = namesInPath(target);
  const left = namesInBody(target, inputSchema);
  const at = (part: string, message: string) => under('target', under(part, problem(message)));

  if (hasUnsafeSegment(path)) return at('path', 'has an empty segment, or one of dots');
  const unknown = [...inPath, ...query].find((each) => !Object.hasOwn(properties, each));
  if (unknown !== undefined)
    return at(inPath.includes(unknown) ? 'path' : 'query', `${unknown} is no property of inputSchema`);
  const optional = inPath.find((each) => !required.includes(each));
  if (optional !== undefined) return at('path', `${optional} must be required in inputSchema`);
  const twice = query.find((each, index) => inPath.includes(each) || query.indexOf(each) < index);
  if (twice !== undefined) return at('query', `${twice} is there twice`);
  const nested = [...inPath, ...query, ...(body === 'form' ? left : [])].find((each) => !isScalar(each));
  if (nested !== undefined)
    return at('path', `${nested} is an array or an object, which only a JSON body can have`);
  if (method === 'get' && left[0] !== undefined)
    return at('query', `a get has no body: ${left[0]} must be in path or query`);
  return undefined;
}
