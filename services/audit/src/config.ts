import { ownVariables } from '@action-platform/contracts/configuration';
import { commonConfig } from '@action-platform/service-host';

/** The environment variables of the audit service. */
export const auditConfig = commonConfig.extend(ownVariables.audit.shape);
