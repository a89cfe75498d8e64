import { runService } from '@action-platform/service-host';
import { mail } from './service.ts';

await runService(mail);
