import { runService } from '@action-platform/service-host';
import { knowledge } from './service.ts';

await runService(knowledge);
