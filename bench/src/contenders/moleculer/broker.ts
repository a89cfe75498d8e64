import { ServiceBroker } from 'moleculer';

/** A broker on NATS, with Moleculer's defaults but for its log. */
export function createBroker(nodeID: string): ServiceBroker {
  return new ServiceBroker({
    namespace: 'bench',
    nodeID,
    logger: { type: 'Console', options: { level: 'warn' } },
    transporter: { type: 'NATS', options: { url: process.env.NATS_URL! } },
  });
}
