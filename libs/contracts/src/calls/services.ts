/** The services behind the gateway; each has its own MongoDB database and its own queue group on the bus. */
export const services = ['grants', 'record-store', 'mail', 'procedures', 'knowledge'] as const;
export type ServiceName = (typeof services)[number];
