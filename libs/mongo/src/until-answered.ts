/*
 * Lets a command wait longer for its answer than the timeout of the socket: `Db.command` drops the option that `Connection.command` reads.
 */
import { type DriverCommand, type DriverConnection, driverConnection } from './driver-connection.ts';

const unlimited = new WeakSet<DriverCommand>();

/** Has a command, as `Db.command` gets it, wait until the server answers or the connection ends. */
export function untilAnswered<Command extends DriverCommand>(command: Command): Command {
  unlimited.add(command);
  return command;
}

const { command: send } = driverConnection;

driverConnection.command = function (this: DriverConnection, namespace, command, options, ...rest) {
  const given = unlimited.has(command) ? { ...(options as object), socketTimeoutMS: 0 } : options;
  return send.call(this, namespace, command, given, ...rest);
};
