/** Keys, certificates, users and server configuration of a deployment: made, applied and rotated. */

export { type Chore, choresAfter } from './chores.ts';
export { serviceRoles, setUser } from './database-users.ts';
export {
  adapted,
  createDeployment,
  type DatabaseUser,
  type Deployment,
  databaseUsers,
  type Rotatable,
  rotatable,
  rotate,
  uncertifiedHosts,
} from './deployment.ts';
export { paths } from './files.ts';
export { readDeployment, writeDeployment } from './folder.ts';
export type { Place } from './place.ts';
export { establishUsersThrough, prepareDatabase } from './prepare-database.ts';
