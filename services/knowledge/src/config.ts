import { ownVariables } from '@action-platform/contracts';
import { commonConfig } from '@action-platform/service-host';

/** The environment variables of the knowledge service. */
export const knowledgeConfig = commonConfig.extend(ownVariables.knowledge.shape);
