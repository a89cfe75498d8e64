import { services } from '@action-platform/contracts';
import type { GrafanaDashboard } from './dashboard.ts';
import { platformDashboard } from './platform.ts';
import { serviceDashboard } from './service.ts';
import { workspaceDashboard } from './workspace.ts';

/** Every dashboard, by the name of its file. */
export const dashboards: Readonly<Record<string, GrafanaDashboard>> = {
  platform: platformDashboard,
  workspace: workspaceDashboard,
  ...Object.fromEntries(services.map((service) => [service, serviceDashboard(service)])),
};
