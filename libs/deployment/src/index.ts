/** Creates, applies and rotates the keys, certificates, users and server configuration of a deployment. */

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
  stepTaken,
  uncertifiedHosts,
} from './deployment.ts';
export { credentialVariables, keyedServices, keyVariables, paths } from './files.ts';
export { readDeployment, writeDeployment } from './folder.ts';
export { establishUsersThrough, prepareDatabase, reloadCertificates } from './prepare-database.ts';
export { type RotationAction, rotationActions } from './rotation-actions.ts';
export type { Settings } from './settings.ts';
export { whileLocked } from './while-locked.ts';
export { writePrivately } from './write-privately.ts';
