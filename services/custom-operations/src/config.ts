import { ownVariables } from '@action-platform/contracts/configuration';
import { commonConfig } from '@action-platform/service-host';

/** The environment variables of the custom-operations service. */
export const customOperationsConfig = commonConfig.extend(ownVariables['custom-operations'].shape);
