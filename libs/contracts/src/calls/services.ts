/**
 * The services behind the gateway. Each is a folder under `services/` with a MongoDB database, a queue group and a user
 * on the bus of its own; the local stack, the permissions and the tests take their list from here.
 */
export const services = ['grants', 'record-store', 'mail', 'procedures', 'knowledge'] as const;
export type ServiceName = (typeof services)[number];

/** Everyone with credentials for the bus. */
export const busUsers = ['gateway', ...services, 'admin'] as const;
export type BusUser = 'gateway' | 'admin' | ServiceName;
