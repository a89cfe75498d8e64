import type { DatabaseLogin } from '@action-platform/mongo';
import type { Db, MongoClient } from 'mongodb';
import type { DatabaseUser, Deployment } from './deployment.ts';
import { accepted } from './rotation.ts';

/** A built-in role of MongoDB in one database. */
interface Role {
  readonly role: string;
  readonly db: string;
}

/** The least privilege of a service: `readWrite` in its own database. MongoDB checks a `bulkWrite` for each collection in it. */
export function serviceRoles(database: string): readonly Role[] {
  return [{ role: 'readWrite', db: database }];
}

function rolesOf(user: DatabaseUser): readonly Role[] {
  return user === 'admin' ? [{ role: 'root', db: 'admin' }] : serviceRoles(user);
}

/** Creates or updates the named users of a deployment in MongoDB, and drops its other users, such as those of the former generation. */
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

/** Creates a user, or sets password and roles of an existing one. */
export async function setUser(
  admin: Db,
  command: 'createUser' | 'updateUser',
  { user, password }: DatabaseLogin,
  roles: readonly Role[],
  customData: object = {},
): Promise<void> {
  await admin.command({ [command]: user, pwd: password, roles, mechanisms: ['SCRAM-SHA-256'], customData });
}
