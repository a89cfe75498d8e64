/** Calls operations of a contender over HTTP as one Member, as any client would. */
export class Api {
  readonly origin: string;
  readonly workspace: string;
  readonly user: string;
  readonly token: string;

  constructor(origin: string, member: { workspace: string; user: string; token: string }) {
    this.origin = origin;
    this.workspace = member.workspace;
    this.user = member.user;
    this.token = member.token;
  }

  /** Sends one request; the answer may be a refusal. */
  async post(path: string, input: object, token = this.token): Promise<Response> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    return await fetch(`${this.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  }

  /**
   * The result of an operation.
   *
   * @throws Error with the answer to a call that failed.
   */
  async call<Result>(operation: string, input: object): Promise<Result> {
    const response = await this.post(operationPath(operation), input);
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} at ${this.origin}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: Result }).result;
  }

  /** Creates a Collection that Members may write to; returns its id. */
  async newCollection(): Promise<string> {
    const input = { name: `bench ${crypto.randomUUID()}`, member_writes_enabled: true };
    const { collection } = await this.call<{ collection: { id: string } }>(
      'record_store.create_collection',
      input,
    );
    return collection.id;
  }

  /** Creates a Record, by default in a Collection of its own. */
  async newRecord(payload: object, collection_id?: string): Promise<RecordReference> {
    const push = { collection_id: collection_id ?? (await this.newCollection()), payload };
    const { record } = await this.call<{ record: { id: string } }>('record_store.push_record', push);
    return { collection_id: push.collection_id, record_id: record.id };
  }
}

/** Names a Record as operations do. */
export interface RecordReference {
  readonly collection_id: string;
  readonly record_id: string;
}

/** The path of an operation. */
export function operationPath(operation: string): string {
  return `/api/v1/operations/${operation}`;
}
