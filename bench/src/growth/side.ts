import type { Collection, Document, MongoClient } from 'mongodb';
import { Api } from '../contenders/api.ts';
import type { Contender, Environment } from '../contenders/contender.ts';
import { createWorkspace, type Operator, operatorOf } from '../contenders/platform/operator.ts';
import { databaseOf, type PlatformVersion, startPlatform } from '../contenders/platform/platform.ts';

/** A Workspace with an Owner, through the API and in the database. */
export interface Caller {
  readonly workspace: string;
  readonly user: string;
  readonly token: string;
}

/** One of the two platforms that are compared: the one that stays small, or the one that grows. */
export interface Side {
  readonly name: 'small' | 'grown';
  readonly contender: Contender;
  readonly origin: string;
  readonly caller: Caller;
  /** The API, with the Owner's token. */
  readonly api: Api;
  readonly operator: Operator;
  /** A session token for a Member of a Workspace. */
  tokenFor(workspaceId: string, userId: string): Promise<string>;
  /** The collection of this name in a service's database. */
  stored(service: string, collection: string): Collection<Document>;
}

/** A quota that no scenario reaches. */
const ROOMY_QUOTA_BYTES = 1e12;

/** Starts one, with a Workspace of a large quota. */
export async function startSide(
  name: Side['name'],
  version: PlatformVersion,
  environment: Environment,
  mongo: MongoClient,
): Promise<Side> {
  const contender = { ...(await startPlatform(version, environment)), name };
  if (contender.target.driver !== 'http') throw new Error('The platform is called over HTTP.');
  const { origin } = contender.target;
  const operator = operatorOf(version, environment);
  const user = 'growth-owner';
  const workspace = await createWorkspace(operator, 'growth', user);
  await operator('quota', 'set', '--workspace', workspace, '--bytes', String(ROOMY_QUOTA_BYTES));
  const token = await environment.issuer.tokenFor(workspace, user);
  return {
    name,
    contender,
    origin,
    caller: { workspace, user, token },
    api: new Api(origin, token),
    operator,
    tokenFor: environment.issuer.tokenFor,
    stored: (service, collection) => mongo.db(databaseOf(version, service)).collection(collection),
  };
}
