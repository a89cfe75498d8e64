import { type Bus, connectBus } from '@action-platform/bus';
import { type LocalDirectory, readJsonFile, writeJsonFile } from '../local-directory.ts';

/** An operator's access to a running platform. */
export interface OperatorAccess {
  readonly nats_url: string;
  readonly admin_seed: string;
  /** The authority of the server's certificate, with TLS. */
  readonly authority_file?: string | undefined;
  /** Whether a server without authentication is accepted. */
  readonly accepts_any?: boolean;
}

/** Writes the address and the operator's seed of the stack. */
export function writeStack(directory: LocalDirectory, access: OperatorAccess): void {
  writeJsonFile(directory.stackFile, access);
}

/** The access to the stack of a directory; the error before its first start says how to start it. */
export function readStack(directory: LocalDirectory): OperatorAccess {
  const access = readJsonFile<OperatorAccess>(directory.stackFile);
  if (access === undefined) {
    throw new Error(`No platform was started in ${directory.root}: run npm start first, or set LOCAL_DIR.`);
  }
  return access;
}

/** The default timeout of a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The largest message of an operator, independent of the platform's limits. */
const OPERATOR_MESSAGE_BYTES = 64 * 1024;

/** The place to look at when NATS does not answer, under each way of running. */
export const LOOK_AT_NATS =
  'Look at it: of npm start, whether it runs, and logs/nats-server.log in LOCAL_DIR; of Compose, docker compose ps nats and docker compose logs nats; in Kubernetes, kubectl --namespace action-platform get pods. The runbook has more at "NATS is stopped".';

/** Connects to the bus of a platform as its operator; the error for a platform that does not answer says what to look at. */
export async function connectOperator(
  {
    nats_url: url,
    admin_seed: seed,
    authority_file: authorityFile,
    accepts_any: acceptsAny = false,
  }: OperatorAccess,
  timeoutMs = CONNECT_TIMEOUT_MS,
): Promise<Bus> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const maxMessageBytes = OPERATOR_MESSAGE_BYTES;
    const server = { url, authorityFile, acceptsAny };
    return await connectBus({ ...server, user: 'admin', seed, maxMessageBytes, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`NATS does not answer at ${url}. ${LOOK_AT_NATS}`);
  }
}
