import { type Bus, connectBus } from '@action-platform/bus';
import { type LocalDirectory, readJsonFile, writeJsonFile } from '../local-directory.ts';

/** How an operator reaches a running platform. */
export interface OperatorAccess {
  readonly nats_url: string;
  readonly admin_seed: string;
  /** The authority that signed the server's certificate, when it encrypts. */
  readonly authority_file?: string | undefined;
  /** Whether a server will do that does not ask who connects. */
  readonly accepts_any?: boolean;
}

/** Writes down how to reach the stack. */
export function writeStack(directory: LocalDirectory, access: OperatorAccess): void {
  writeJsonFile(directory.stackFile, access);
}

/** How to reach the stack of a directory; an error says what to do when none was started there. */
export function readStack(directory: LocalDirectory): OperatorAccess {
  const access = readJsonFile<OperatorAccess>(directory.stackFile);
  if (access === undefined) {
    throw new Error(`No platform was started in ${directory.root}: run npm start first, or set LOCAL_DIR.`);
  }
  return access;
}

/** How long a person waits, in milliseconds. */
const CONNECT_PATIENCE_MS = 10_000;
/** What an operator asks is short, whatever the platform's own limits are. */
const OPERATOR_MESSAGE_BYTES = 64 * 1024;

/** Joins the bus of a platform as its operator; an error says what to do when it does not answer. */
export async function connectOperator(
  {
    nats_url: url,
    admin_seed: seed,
    authority_file: authorityFile,
    accepts_any: acceptsAny = false,
  }: OperatorAccess,
  patienceMs = CONNECT_PATIENCE_MS,
): Promise<Bus> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const maxMessageBytes = OPERATOR_MESSAGE_BYTES;
    const server = { url, authorityFile, acceptsAny };
    return await connectBus({ ...server, user: 'admin', seed, maxMessageBytes, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`The platform does not answer at ${url}: is it running? Start it with npm start.`);
  }
}
