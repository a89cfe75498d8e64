/** One kind of request of a load. */
export interface RequestTemplate {
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** One of these is sent, chosen at random; `$unique` in it becomes a text that no other request has. */
  readonly bodies: readonly string[];
  /** Whose call each of the bodies is, in their order: session tokens or grant secrets, in place of the target's token. */
  readonly tokens?: readonly string[];
}

/** Where requests go. */
export type Target =
  | { readonly driver: 'http'; readonly origin: string; readonly token?: string }
  | { readonly driver: 'nats'; readonly url: string; readonly subject: string }
  | {
      readonly driver: 'mongod';
      readonly url: string;
      readonly database: string;
      /** Whether calls that wait go out together, as in a group commit. */
      readonly grouped: boolean;
    };

/** A closed loop: each client sends its next request when it has the answer to the last. */
export interface Load {
  readonly target: Target;
  readonly requests: readonly RequestTemplate[];
  readonly clients: number;
  readonly seconds: number;
}

/** What came of a load. */
export interface LoadResult {
  readonly calls: number;
  /** Calls that did not succeed; they are not in the latencies. */
  readonly errors: number;
  readonly firstError: string | undefined;
  readonly seconds: number;
  readonly latencyMs: LatencyMs;
}

/** How long calls took, in milliseconds. */
export interface LatencyMs {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Sends one request and resolves when its whole answer is there; rejects when it did not succeed. */
export type Send = (template: RequestTemplate, body: string, token?: string) => Promise<void>;

/** A way to send requests, with a connection for each client. */
export interface Driver {
  /** The sender of one client. */
  client(): Promise<Send>;
  close(): Promise<void>;
}
