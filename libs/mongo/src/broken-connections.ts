/*
 * Fails commands that the driver would leave waiting for ever.
 *
 * A command that cannot be written at once waits until its socket has drained or has an error (`writeCommand` in
 * `mongodb/lib/cmap/connection.js`, as of 7.9). A socket that closes without an error, because the server ended the connection or
 * the driver timed it out, does neither. The command need not be large: between the end of a connection and the turn of the
 * event loop that reports it, the driver still hands the connection to the next command.
 *
 * One such command stops a batch, and everything that waits for the next one, until the process ends.
 */
import { type DriverConnection, driverConnection } from './driver-connection.ts';

const { cleanup } = driverConnection;

driverConnection.cleanup = function (this: DriverConnection, error) {
  if (this.closed) return;
  cleanup.call(this, error);
  // The waiting command listens for it; so does the connection itself, which is closed by now.
  this.socket.emit('error', error);
};
