import { allowsCall, type Endpoint, type Role, roles } from '#contract/endpoint.ts';
import { Problem, type Reason } from '#contract/problem.ts';
import { proofMaxAgeMs } from '#rules/time/lifetimes.ts';
import type { Membership } from '#server/api/endpoints/apiDoor.ts';
import type { Session, TokenUsed } from '#server/api/sessions/session.ts';
import type { Db } from '#server/infra/db/sql.ts';

/**
 * The rows that calls can be about, by the noun that an endpoint's access names. Each slice adds its own:
 * `declare module './access.ts' { interface Rows { device: Device } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: slices add its members
export interface Rows {}

/** How the server finds the row a call is about, whose project it is in, and the caller's role there. */
export interface Resource<Row extends object = object> {
  notFound: Reason;
  /** The sentence required by the product's specification, if it differs from that of the reason. */
  notFoundMessage?: string;
  find(db: Db, ids: Ids, caller: Caller): Promise<Found<Row> | undefined>;
}

/** Who makes the call, and whether to lock the row for a change. */
export interface Caller {
  /** Empty for an API key, which has access to its project independent of members. */
  developerId: string;
  /** The only projects an access token can reach: in others, its developer does not count as a member. */
  projectIds?: readonly string[] | undefined;
  lock: boolean;
  now: Date;
}

/** The project of a key, because a key need not name the project of a list. */
export function ownProject({ developerId, projectIds }: Caller): string | undefined {
  return developerId === '' ? projectIds?.[0] : undefined;
}

/** The ids named by path, query or body: `projectId`, `appId`, … */
export type Ids = Record<string, string | undefined>;

export interface Found<Row extends object = object> {
  projectId: string;
  orgId: string;
  /** Null if the caller is not a member. */
  role: Role | null;
  row: Row;
  /** For calls of the app API: the user's membership in the home of the row. */
  membership?: Membership;
}

/** A member's role is too weak. The project is known, so its log can record the attempt. */
export class RoleTooLow extends Problem {
  readonly found: Found;

  constructor(found: Found) {
    super('ROLE_TOO_LOW');
    this.found = found;
  }
}

/** Resources by noun; each slice registers its own. */
export type Resources = { [N in keyof Rows]?: Resource<Rows[N]> };

interface Look {
  db: Db;
  resources: Readonly<Record<string, Resource>>;
  lock: boolean;
  now: Date;
}

/** Authorizes the caller. For a row of a project, returns the row and the caller's role in that project. */
export async function checkAccess(
  endpoint: Endpoint,
  session: Session | undefined,
  ids: Ids,
  look: Look,
): Promise<Found | undefined> {
  const { access } = endpoint;
  if (session?.token) checkToken(endpoint, session.token, ids);
  if (access === 'public') return undefined;
  if (!session) throw new Problem('NO_LOGIN');
  if (endpoint.notForSudo && session.sudoer) throw new Problem('NOT_IN_SUDO');
  if (endpoint.reauth && look.now.getTime() - session.provedAt.getTime() > proofMaxAgeMs)
    throw new Problem('REAUTH_REQUIRED');
  if (access === 'login') return undefined;
  if (access === 'self') {
    if (ids.developerId !== session.developerId) throw new Problem('DEVELOPER_NOT_FOUND');
    return undefined;
  }
  if (!session.verified) throw new Problem('UNVERIFIED_ACCOUNT');
  if (session.auth2FMissing) throw new Problem('TWO_FACTOR_REQUIRED');
  if (access === 'verified') return undefined;
  return checkMember(access, session, ids, look);
}

async function checkMember(
  access: { role: Role; of: string },
  session: Session,
  ids: Ids,
  { db, resources, lock, now }: Look,
): Promise<Found> {
  const resource = resources[access.of];
  if (!resource) throw new Error(`No slice finds ${access.of}.`);
  if (access.of === 'project' && ids.projectId === undefined) throw new Problem('PROJECT_NOT_DEFINED');
  const { developerId, token } = session;
  const found = await resource.find(db, ids, { developerId, projectIds: token?.projectIds, lock, now });
  // For the caller, rows of another organization do not exist, and rows within a project exist only for its members.
  if (!found || found.orgId !== session.orgId) throw notFound(resource);
  if (token?.projectIds?.includes(found.projectId) === false) throw notFound(resource);
  if (found.role === null)
    throw resource.notFound === 'PROJECT_NOT_FOUND' ? new Problem('NOT_A_MEMBER') : notFound(resource);
  if (roles.indexOf(found.role) < roles.indexOf(access.role)) throw new RoleTooLow(found);
  return token && found.role === 'owner' ? { ...found, role: 'developer' } : found;
}

/** A call with an access token never has more than the role developer, whoever made the token. */
export const mustOwn = ({ role, me }: { role?: Role | undefined; me: Session }): void => {
  if (role !== 'owner') throw me.token ? notForTokens() : new Problem('ROLE_TOO_LOW');
};

const notForTokens = () =>
  new Problem('TOKEN_SCOPE', { message: 'Access tokens cannot do this. Sign in to the console instead.' });

/** Rejects calls that an access token cannot make. Reveals nothing about existing rows: it checks the call only. */
function checkToken(endpoint: Endpoint, { scope, projectIds }: TokenUsed, { projectId }: Ids): void {
  const { tokenScope } = endpoint;
  if (tokenScope === 'none') throw notForTokens();
  if (!allowsCall(scope, endpoint)) {
    const message = `This access token has the scope "${scope}". Use one with the scope "${tokenScope}".`;
    throw new Problem('TOKEN_SCOPE', { message, context: { scope, needed: tokenScope } });
  }
  if (projectId !== undefined && projectIds?.includes(projectId) === false)
    throw new Problem('TOKEN_SCOPE', { message: 'This access token is not for this project.' });
}

export function notFound({ notFound: reason, notFoundMessage: message }: Resource): Problem {
  return new Problem(reason, message === undefined ? {} : { message });
}
