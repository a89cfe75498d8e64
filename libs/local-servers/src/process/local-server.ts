/** How a server's process ended. */
export interface ServerExit {
  /** Exit code, or null when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, if one did. */
  readonly signal: NodeJS.Signals | null;
  /** For people: what its log says went wrong and what to do about it, or else just `SIGKILL` or `exit code 0`. */
  readonly reason: string;
}

/** A running server that this process started. It does not outlive this process. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /**
   * Resolves when the process has ended, asked to or not. The same start works again on the same data and port; whether
   * to do so is up to the caller.
   */
  readonly exited: Promise<ServerExit>;
  /** Asks the server to shut down, waits until it has, and kills it only when it takes far too long. May be repeated. */
  stop(): Promise<void>;
}

/** What both servers are started with. */
export interface LocalServerOptions {
  /** Port on 127.0.0.1; a free one when left out. */
  readonly port?: number | undefined;
  /** The server's own log is appended to this file. */
  readonly logFile: string;
  /** Absolute path of the program; found, or fetched, when left out. */
  readonly program?: string | undefined;
  /** Told in one line what takes time, such as a download. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** A server could not be started. The message is one line that says why and what to do. */
export class LocalServerError extends Error {}
