/** An operation of the OpenAPI document. */
type Documented = ReturnType<JSON['parse']>;

/** The operations that create objects for the others, and below those that end them, in a working order. */
const FIRST = [
  ...['create_collection', 'push_record', 'replace_record', 'patch_record'].map((id) => `record_store.${id}`),
  ...['mail.send_email', 'addMember', 'createOperationGrant', 'createRoutineGrant', 'createWebhookEndpoint'],
  'putCustomOperation',
];
const LAST = [
  ...['archive', 'restore', 'archive', 'delete'].map((change) => `record_store.${change}_record`),
  ...['revokeOperationGrant', 'revokeRoutineGrant', 'deleteWebhookEndpoint', 'removeCustomOperation'],
  'removeMember',
];
/**
 * Their examples name a file, a delivery, an approval, a revision, a connector, a mailbox or an agent that the Workspace does not have, or a mail
 * server, or they need a fresh sign-in.
 */
const REFUSED = [
  ...['knowledge.get_file', 'putConnector', 'getConnector', 'removeConnector'],
  ...['checkConnector', 'listConnectorTools'],
  ...['resendWebhookDelivery', 'setApprovalRules', 'getApproval', 'decideApproval'],
  ...['createAppConnection', 'deleteAppConnection', 'beginAuthorization', 'completeAuthorization'],
  ...['createSender', 'changeSender', 'deleteSender'],
  ...['getAgentConsent', 'createAgentGrant', 'revokeAgentGrant', 'setAgentPolicy'],
];

/** Matches ids of objects that samples create. */
const MADE = /\b(?:col|rec|ogr|rgr|whe)_\w+/g;

/** An attempt has an HTTP status or a failure. Which one the example's endpoint gets depends on the moment. */
const OUTCOME_OF_ATTEMPT = /\.attempts\[0\]\.(status|failure)$/;

/** The samples of the platform at an address, which run one after the other in a Workspace of their own. */
export class Samples {
  readonly #documented: ReadonlyMap<string, Documented>;
  readonly #label: string;
  /** The ids of created objects, which replace the ids of the examples in a sample. */
  readonly #made = new Map<string, string>();
  /** The operations whose samples succeed, in a working order, and those whose samples are refused. */
  readonly succeeding: readonly string[];
  readonly refused = REFUSED;

  private constructor(documented: ReadonlyMap<string, Documented>, label: string) {
    this.#documented = documented;
    this.#label = label;
    const others = [...documented.keys()].filter((id) => ![...FIRST, ...LAST, ...REFUSED].includes(id));
    this.succeeding = [...FIRST, ...others, ...LAST];
  }

  /** Reads the document of a platform. @param label of the language of the samples */
  static async of(baseUrl: string, label: string): Promise<Samples> {
    const { paths } = (await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json()) as Documented;
    const all = Object.values<Documented>(paths)
      .flatMap((methods) => Object.values<Documented>(methods))
      // A stream has no end.
      .filter(({ responses }) => responses[200]?.content?.['text/event-stream'] === undefined);
    return new Samples(new Map(all.map((operation) => [operation.operationId, operation])), label);
  }

  /** The sample of an operation, with the ids of the objects that samples have made. */
  sourceOf(operationId: string): string {
    const { 'x-codeSamples': samples } = this.#documented.get(operationId);
    return this.#own(samples.find(({ label }: Documented) => label === this.#label).source);
  }

  /** The input of the example of an operation, as JSON with the ids of these objects. */
  inputOf(operationId: string): string {
    const { requestBody } = this.#documented.get(operationId);
    return this.#own(JSON.stringify(requestBody.content['application/json'].example));
  }

  #own(text: string): string {
    return text.replaceAll(MADE, (example) => this.#made.get(example) ?? example);
  }

  /** Compares what a sample shows with the answer of the document. @returns the paths where their fields differ */
  compare(operationId: string, shown: string): string[] {
    const { responses } = this.#documented.get(operationId);
    const [, answer] = Object.entries<Documented>(responses).find(([status]) => status.startsWith('2'))!;
    const { example } = answer.content['application/json'] ?? {};
    // The example of the document itself is an outline.
    if (example === undefined || operationId === 'getOpenApiDocument') return [];
    return this.#differences(example, JSON.parse(shown), '');
  }

  #differences(example: unknown, answer: unknown, at: string): string[] {
    if (typeof example === 'string' && example.match(MADE)?.[0] === example && !this.#made.has(example))
      this.#made.set(example, String(answer));
    // Whether something that may be null is, depends on the moment.
    if (example === null || answer === null || OUTCOME_OF_ATTEMPT.test(at)) return [];
    if (typeof example !== typeof answer) return [at];
    if (typeof example !== 'object') return [];
    // Of a list one item is compared: that of the example's id, or else the first.
    if (Array.isArray(example)) {
      const items = answer as { readonly id?: unknown }[];
      const [first] = example as typeof items;
      const same = items.find(({ id }) => id !== undefined && id === first?.id) ?? items[0];
      return first === undefined || same === undefined ? [] : this.#differences(first, same, `${at}[0]`);
    }
    const names = new Set([...Object.keys(example), ...Object.keys(answer as object)]);
    return [...names].flatMap((name) =>
      this.#differences(example[name as never], (answer as object)[name as never], `${at}.${name}`),
    );
  }
}

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...given: unknown[]) => Promise<void>;

/** Runs a sample in JavaScript. @param through makes its request @returns what it shows */
export async function runJavaScript(source: string, env: object, through = fetch): Promise<string> {
  const shown: unknown[] = [];
  const console = { log: (value: unknown) => shown.push(value) };
  await new AsyncFunction('process', 'console', 'fetch', source)({ env }, console, through);
  return typeof shown[0] === 'string' ? shown[0] : JSON.stringify(shown[0]);
}
