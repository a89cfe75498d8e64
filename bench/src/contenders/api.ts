/** Calls operations of a contender over HTTP, as any client would. */
export class Api {
  readonly origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.origin = origin;
    this.#token = token;
  }

  /** Sends one call; the answer may be a refusal. */
  async send(operation: string, input: object): Promise<Response> {
    return await this.post(operationPath(operation), input);
  }

  /** Sends one request of any route; the answer may be a refusal. */
  async post(path: string, input: object): Promise<Response> {
    return await fetch(`${this.origin}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
  }

  /** The result of a call that has to succeed. */
  async call<Result>(operation: string, input: object): Promise<Result> {
    const response = await this.send(operation, input);
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} at ${this.origin}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: Result }).result;
  }
}

/** The path of an operation. */
export function operationPath(operation: string): string {
  return `/api/v1/operations/${operation}`;
}
