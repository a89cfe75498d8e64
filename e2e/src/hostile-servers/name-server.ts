import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The records of a name. Without any, the name is there and has nothing of the type. */
interface Records {
  readonly alias?: string;
  readonly addresses?: readonly string[];
}

/** The records of a name; undefined makes the server silent. */
export type Zone = (name: string) => Records | undefined;

const [TYPE_A, TYPE_CNAME, CLASS_IN] = [1, 5, 1];
/** A response, authoritative, with recursion available. */
const FLAGS = 0x8580;
const TRUNCATED = 0x0200;
/** The most bytes of a message over UDP: those that every path carries (DNS Flag Day 2020). */
const UDP_BYTES = 1_232;
const HEADER_BYTES = 12;
/** A pointer to the name of the question (RFC 1035, section 4.1.4). */
const QUESTION_NAME = 0xc000 | HEADER_BYTES;

/** An authoritative name server (RFC 1035) on 127.0.0.1, over UDP and TCP, that answers as a test says. */
export class NameServer {
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #connections = new Set<Socket>();
  /** Says which records a name has. */
  zone: Zone = () => ({});

  private constructor() {
    this.#udp = createSocket('udp4', (query, { port, address }) => {
      const answer = answerTo(query, this.zone, UDP_BYTES);
      if (answer !== undefined) this.#udp.send(answer, port, address);
    });
    this.#tcp = createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<NameServer> {
    const server = new NameServer();
    // TCP first: of its ports many are in use, also by connections of others.
    await once(server.#tcp.listen(0, '127.0.0.1'), 'listening');
    server.#udp.bind((server.#tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(server.#udp, 'listening');
    return server;
  }

  /** Its address, as `setServers` of `node:dns` takes it. */
  get address(): string {
    return `127.0.0.1:${this.#udp.address().port}`;
  }

  stop(): void {
    this.#udp.close();
    this.#tcp.close();
    for (const socket of this.#connections) socket.destroy();
  }

  /** Answers the queries of a connection, each behind its length in two bytes. */
  #serve(socket: Socket): void {
    this.#connections.add(socket);
    socket.on('error', () => {}).on('close', () => this.#connections.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        const answer = answerTo(received.subarray(2, end), this.zone);
        received = received.subarray(end);
        if (answer !== undefined) socket.write(Buffer.concat([uint16(answer.length), answer]));
      }
    });
  }
}

/** The answer to a query with one question; undefined for silence. @param mostBytes beyond these the answer says that it is truncated */
function answerTo(query: Buffer, zone: Zone, mostBytes = Number.POSITIVE_INFINITY): Buffer | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(HEADER_BYTES, at + 5);
  const found = zone(labels.join('.').toLowerCase());
  if (found === undefined) return undefined;
  const { alias, addresses = [] } = found;
  const records = [
    ...(alias === undefined ? [] : [record(TYPE_CNAME, nameBytes(alias))]),
    ...(type === TYPE_A ? addresses.map((address) => record(TYPE_A, addressBytes(address))) : []),
  ];
  const header = (flags: number, answers: number) =>
    Buffer.concat([query.subarray(0, 2), ...[flags, 1, answers, 0, 0].map(uint16)]);
  const whole = Buffer.concat([header(FLAGS, records.length), question, ...records]);
  return whole.length <= mostBytes ? whole : Buffer.concat([header(FLAGS | TRUNCATED, 0), question]);
}

/** A record of the name of the question that no resolver keeps. */
function record(type: number, data: Buffer): Buffer {
  const timeToLive = Buffer.alloc(4);
  return Buffer.concat([
    ...[QUESTION_NAME, type, CLASS_IN].map(uint16),
    timeToLive,
    uint16(data.length),
    data,
  ]);
}

const addressBytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

const nameBytes = (name: string): Buffer =>
  Buffer.concat([...name.split('.'), ''].map((label) => Buffer.from([label.length, ...Buffer.from(label)])));

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
