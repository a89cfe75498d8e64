import { runService } from '@action-platform/service-host';
import { procedures } from './service.ts';

await runService(procedures);
