import { ownVariables } from '@action-platform/contracts';
import { commonConfig } from '@action-platform/service-host';

/** The environment variables of the grants service. */
export const grantsConfig = commonConfig.extend(ownVariables.grants.shape);
