import type { DatabaseLogin } from '@action-platform/mongo';
import type { Db, MongoClient } from 'mongodb';
import type { DatabaseUser, Deployment } from './deployment.ts';
import { accepted } from './rotation.ts';

/** A role of MongoDB's own, in one database. */
interface Role {
  readonly role: string;
  readonly db: string;
}

/**
 * The least a service needs: to read, write and index what is in its own database. A bulk in several collections, which is
 * a command of `admin`, is permitted by what it does to each.
 */
export function serviceRoles(database: string): readonly Role[] {
  return [{ role: 'readWrite', db: database }];
}

function rolesOf(user: DatabaseUser): readonly Role[] {
  return user === 'admin' ? [{ role: 'root', db: 'admin' }] : serviceRoles(user);
}

/**
 * Makes users of a deployment be in MongoDB: none of those named is missing, and no other of the deployment's is left, such as one
 * that was replaced.
 */
export async function establishUsers(
  client: MongoClient,
  deployment: Deployment,
  names: readonly DatabaseUser[],
): Promise<void> {
  const admin = client.db('admin');
  const mark = { deployment: deployment.id };
  const wanted = accepted(deployment.databaseLogins).flatMap((logins) =>
    names.map((name) => ({ login: logins[name], roles: rolesOf(name) })),
  );
  const { users } = await admin.command({ usersInfo: 1, filter: { 'customData.deployment': deployment.id } });
  const present = new Set((users as { user: string }[]).map(({ user }) => user));
  for (const { login, roles } of wanted) {
    await setUser(admin, present.delete(login.user) ? 'updateUser' : 'createUser', login, roles, mark);
  }
  for (const user of present) await admin.command({ dropUser: user });
}

/** Makes a user, or gives one that there is its password and roles. */
export async function setUser(
  admin: Db,
  command: 'createUser' | 'updateUser',
  { user, password }: DatabaseLogin,
  roles: readonly Role[],
  customData: object = {},
): Promise<void> {
  await admin.command({ [command]: user, pwd: password, roles, mechanisms: ['SCRAM-SHA-256'], customData });
}
