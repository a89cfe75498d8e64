import { type ServiceName, services } from './services.ts';

/** Everyone with credentials for the bus. */
export const busUsers = ['gateway', ...services, 'admin'] as const;
export type BusUser = 'gateway' | 'admin' | ServiceName;
