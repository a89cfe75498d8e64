import { Server } from 'node:net';

/* Imported before a program that lets nobody choose its address, so that the program listens on this machine alone. */
const { listen } = Server.prototype;
Object.assign(Server.prototype, {
  /** @this {Server} @param {any[]} args */
  listen(...args) {
    const [port, second, ...others] = args;
    const isPortAlone = /^\d+$/.test(String(port)) && typeof second !== 'string';
    const given = isPortAlone ? [Number(port), '127.0.0.1', second, ...others] : args;
    return Reflect.apply(listen, this, given);
  },
});
