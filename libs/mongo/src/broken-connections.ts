/*
 * What the driver leaves waiting for ever, and how it is told.
 *
 * A command that cannot be written at once waits for its socket to be drained, and gives up when the socket has an error (`writeCommand`
 * in `mongodb/lib/cmap/connection.js`, up to 7.9 at least). But a socket that is closed has none: not when the server has ended the
 * connection, and not when the driver itself has, because the socket timed out. Then it is neither drained nor does it fail. That takes
 * no large command. Between the end of a connection and the turn of the event loop in which that is told, the driver still gives it to
 * the next command. Node says of a write on a socket that is gone that it is not drained.
 *
 * One such command is enough to stop a batch, and all that wait for the next one, until the process ends.
 */
import { type DriverConnection, driverConnection } from './driver-connection.ts';

const { cleanup } = driverConnection;

driverConnection.cleanup = function (this: DriverConnection, error) {
  if (this.closed) return;
  cleanup.call(this, error);
  // Whoever waits to be drained listens for it; the connection itself does, too, and is closed by now.
  this.socket.emit('error', error);
};
