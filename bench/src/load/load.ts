/** One kind of request of a load. */
export interface RequestTemplate {
  /** Its weight among the others. */
  readonly weight: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The bodies to choose from at random; `$unique` becomes a text of its own in each request. */
  readonly bodies: readonly string[];
  /** The token of each body, in their order: session tokens or grant secrets, in place of the target's token. */
  readonly tokens?: readonly string[];
}

/** The target of requests. */
export type Target =
  | { readonly driver: 'http'; readonly origin: string; readonly token?: string }
  | { readonly driver: 'nats'; readonly url: string; readonly subject: string }
  | {
      readonly driver: 'mongod';
      readonly url: string;
      readonly database: string;
      /** Whether waiting calls go out together, as in a group commit. */
      readonly grouped: boolean;
    };

/** A closed loop: each client sends its next request when it has the answer to the last. */
export interface Load {
  readonly target: Target;
  readonly requests: readonly RequestTemplate[];
  readonly clients: number;
  readonly seconds: number;
}

/** The result of a load. */
export interface LoadResult {
  readonly calls: number;
  /** Failed calls; the latencies omit them. */
  readonly errors: number;
  readonly firstError: string | undefined;
  readonly seconds: number;
  readonly latencyMs: LatencyMs;
}

/** Latencies in milliseconds. */
export interface LatencyMs {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Sends one request and resolves with the end of its answer; rejects when it fails. */
export type Send = (template: RequestTemplate, body: string, token?: string) => Promise<void>;

/** A way to send requests, with a connection for each client. */
export interface Driver {
  /** The sender of one client. */
  client(): Promise<Send>;
  close(): Promise<void>;
}
