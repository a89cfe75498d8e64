import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often the gateway probes a connection whose caller ended its side, in milliseconds. */
const PROBE_MS = 500;
/** How long an answer on a half-closed connection may pause, in milliseconds. */
const PAUSE_MS = 5_000;

/**
 * Lets a caller half-close its connection (FIN) after a whole request and still receive the answer.
 *
 * Node.js 26.10 documents no option for it. `httpAllowHalfOpen` is a public but undocumented property of `http.Server`; without it,
 * Node.js ends its own side with the caller's. A test in `left-callers.service.test.ts` fails on a version that ignores it.
 */
export function allowHalfClose(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}

/**
 * Detects whether the caller of a half-closed connection has left, which a FIN alone does not show. Until the answer begins the
 * gateway sends interim responses (RFC 9110, section 15.2): the operating system of a caller that closed its socket resets the
 * connection. Within an answer HTTP permits none, so the gateway assumes that a caller left when its answer pauses for PAUSE_MS.
 *
 * @param current the response under way on the connection, or the last one.
 */
export function probeOnceHalfClosed(socket: Socket, current: () => ServerResponse | undefined): void {
  socket.once('end', () => {
    let sent = 0;
    let since = 0;
    const probing = setInterval(() => {
      const response = current();
      if (response === undefined) return;
      if (!response.headersSent) {
        if (response.req.httpVersion !== '1.0') response.writeContinue();
        return;
      }
      const now = performance.now();
      // `closeStalledAnswers` handles unsent bytes in the socket.
      if (socket.bytesWritten !== sent || socket.writableLength > 0) {
        sent = socket.bytesWritten;
        since = now;
      } else if (now - since >= PAUSE_MS) {
        socket.destroy();
      }
    }, PROBE_MS).unref();
    socket.once('close', () => clearInterval(probing));
  });
}
