import { EVENT_STREAM } from '@action-platform/contracts/resources';
import type { Route, RouteAnswer } from '@action-platform/contracts/routes';
import { publishedSchema } from '@action-platform/contracts/schema';
import type { z } from 'zod';

/** A call in a language, in the form of `x-codeSamples` (an extension that API references share). */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The call of a sample, which reads the base address and the token from the environment: `BASE_URL` and `TOKEN`. */
interface SampleCall {
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly body?: unknown;
  readonly answer: 'json' | 'text' | 'stream';
}

/** The example call of a route, for a shell and two languages; every sample runs without changes. */
export function codeSamples(route: Route): readonly CodeSample[] {
  const call: SampleCall = {
    method: route.method.toUpperCase(),
    path: examplePath(route),
    needsToken: route.caller !== 'anyone',
    body: route.requestBody?.example,
    answer: kindOf(route.answers[0]!),
  };
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(call) },
    { lang: 'Python', label: 'Python', source: python(call) },
  ];
}

function kindOf({ body }: RouteAnswer): SampleCall['answer'] {
  if (!Array.isArray(body)) return 'json';
  return body.includes(EVENT_STREAM) ? 'stream' : 'text';
}

/** The path with the example of each of its parameters, and of those of the query that are required. */
function examplePath({ path, parameters }: Route): string {
  const examplesOf = (schema: z.ZodObject | undefined) => {
    const { properties = {}, required = [] } = schema ? publishedSchema(schema, 'input') : {};
    return required.map((name) => [name, String(properties[name]!.examples![0])]);
  };
  const examples = Object.fromEntries(examplesOf(parameters?.path));
  const query = new URLSearchParams(examplesOf(parameters?.query));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => examples[name]!);
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function curl({ method, path, needsToken, body, answer }: SampleCall): string {
  return [
    `curl${answer === 'stream' ? ' -N' : ''}${curlMethod(method, body)} "$BASE_URL${path}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ');
}

/** curl derives GET and POST from the body. */
function curlMethod(method: string, body: unknown): string {
  return method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;
}

function javascript({ method, path, needsToken, body, answer }: SampleCall): string {
  const url = `\`\${BASE_URL}${path}\``;
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one in the sample
    ...(needsToken ? ['Authorization: `Bearer ${TOKEN}`'] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)})`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return `const { BASE_URL${needsToken ? ', TOKEN' : ''} } = process.env;

const response = await fetch(${url}${given});
${
  answer === 'stream'
    ? 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);'
    : `console.log(await response.${answer}());`
}`;
}

function python({ method, path, needsToken, body, answer }: SampleCall): string {
  const headers = [
    ...(needsToken ? [`"Authorization": f"Bearer {os.environ['TOKEN']}"`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const given = [
    `os.environ["BASE_URL"] + "${path}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${indented(pythonLiteral(body), 4)}).encode()`]),
  ];
  return `import ${answer === 'json' || body !== undefined ? 'json, ' : ''}os, urllib.request

request = urllib.request.Request(
${given.map((argument) => `    ${argument},\n`).join('')})
with urllib.request.urlopen(request) as response:
    ${pythonShows[answer]}`;
}

const pythonShows = {
  json: 'print(json.load(response))',
  text: 'print(response.read().decode())',
  stream: 'for line in response:\n        print(line.decode(), end="")',
};

/** A JSON value as a Python literal; strings are the same in both. */
function pythonLiteral(value: unknown): string {
  const names: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  const text = JSON.stringify(value, null, 4);
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => names[token] ?? token);
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
