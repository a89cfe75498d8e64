import { runService } from '@action-platform/service-host';
import { audit } from './service.ts';

await runService(audit);
