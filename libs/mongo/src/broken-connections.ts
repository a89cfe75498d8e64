/*
 * Fails commands that the driver would leave pending forever.
 *
 * A command that the driver cannot write at once waits for the socket's `drain` or `error` event (`writeCommand` in
 * `mongodb/lib/cmap/connection.js`, as of 7.9). A socket that closes without an error, because the server ended the
 * connection or the driver timed it out, emits neither. Small commands wait in vain, too: between the end of a connection and the tick of
 * the event loop that reports it, the driver still assigns the connection to the next command.
 *
 * A pending command stops its batch, and all items that wait for the next one, until the process ends.
 */
import { type DriverConnection, driverConnection } from './driver-connection.ts';

const { cleanup } = driverConnection;

driverConnection.cleanup = function (this: DriverConnection, error) {
  if (this.closed) return;
  cleanup.call(this, error);
  // The pending command listens for this event; so does the connection itself, which is closed by now and ignores it.
  this.socket.emit('error', error);
};
