import type { Socket } from 'node:net';
import { flood, ImapServer } from '@action-platform/testing';

/** How a server misbehaves instead of its usual answer: a text before its OK, or something without an answer. */
type Misbehaviour = string | ((socket: Socket) => void);

/** The command, or the greeting, at which a server misbehaves. */
type Script = Readonly<Record<string, Misbehaviour>>;

const LAST_NUMBER = 2 ** 32 - 1;
/** As many lines as a session accepts. */
const LINES = 30_000;
const LONG = 'a'.repeat(8_000);

/** The ways in which servers misbehave. After a lost APPEND, a retry selects the folder. */
const scripts = {
  VANISHED: { SELECT: `* 2 EXISTS\r\n${`* VANISHED 1:${LAST_NUMBER}\r\n`.repeat(LINES)}` },
  'EXISTS of four billion': {
    SELECT: `* ${LAST_NUMBER} EXISTS\r\n`,
    UID: `* SEARCH 1:${LAST_NUMBER}\r\n* ESEARCH UID ALL 1:${LAST_NUMBER}\r\n`,
  },
  'literals without end': {
    LIST: (socket) => flood(socket, `* LIST () "/" {${LONG.length}}\r\n${LONG}\r\n`),
  },
  'LIST without end': { LIST: (socket) => flood(socket, '* LIST () "/" Folder\r\n') },
  'greeting without end': { greeting: (socket) => flood(socket, '* OK ready ') },
} as const satisfies Record<string, Script>;

/** The kinds of hostile mail servers. */
export const mailKinds = Object.keys(scripts) as (keyof typeof scripts)[];

/** A mail server that is ordinary until it is hostile. A hostile server also loses every draft. */
export class HostileMailServer extends ImapServer {
  readonly kind: (typeof mailKinds)[number];
  isHostile = false;
  /** How often the server misbehaved. */
  misbehaved = 0;

  /** @param pem its certificate and private key */
  constructor(kind: (typeof mailKinds)[number], pem: string) {
    super(pem);
    this.kind = kind;
    this.script = (command, socket) => (this.isHostile ? this.#misbehave(command, socket) : undefined);
  }

  #misbehave(command: string, socket: Socket): string | null | undefined {
    const [name = ''] = command.split(' ');
    const script: Script = scripts[this.kind];
    const misbehaviour = name === 'APPEND' ? () => socket.destroy() : script[name];
    if (misbehaviour === undefined) return undefined;
    if (name !== 'APPEND') this.misbehaved++;
    if (typeof misbehaviour === 'string') return misbehaviour;
    misbehaviour(socket);
    return null;
  }
}
