import { ownVariables } from '@action-platform/contracts/configuration';
import { commonConfig } from '@action-platform/service-host';

/** The environment variables of the events service. */
export const eventsConfig = commonConfig.extend(ownVariables.events.shape);
