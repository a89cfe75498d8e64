import { ownVariables } from '@action-platform/contracts';
import { commonConfig } from '@action-platform/service-host';

/** The environment variables of the mail service. */
export const mailConfig = commonConfig.extend(ownVariables.mail.shape);
