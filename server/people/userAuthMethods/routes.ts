import { Readable } from 'node:stream';
import { Problem } from '#contract/problem.ts';
import {
  createUserAuthMethod,
  deleteUserAuthMethod,
  editUserAuthMethod,
  type IssuerFinding,
  listUserAuthMethods,
  readUserAuthIcon,
  readUserAuthMethod,
  readUserAuthSetup,
  readUserAuthTest,
  startUserAuthTest,
  type UserAuthMethod,
} from '#contract/userAuthMethod.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import type { Platform } from '#server/infra/platform.ts';
import { userAuthChores } from './flows.ts';
import { fetchIcon, type Icon } from './icon.ts';
import { inspectIssuer } from './inspectIssuer.ts';
import { redirectUri } from './redirectUri.ts';
import {
  deleteMethod,
  findIcon,
  findMethod,
  insertMethod,
  isIssuerUsed,
  type MethodEdit,
  type MethodRow,
  methodsMax,
  methodsOf,
  updateMethod,
  userAuthMethodResource,
} from './store.ts';
import { prepareTest, readTest, startTest } from './testSignIn.ts';

export const userAuthMethods: Slice = {
  tables: {
    user_auth_methods: 'A sign-in provider for end users.',
    user_auth_flows: 'A sign-in at a provider: pending, or its outcome.',
  },
  idPrefixes: ['uam', 'tst'],
  chores: userAuthChores,
  constraints: { user_auth_methods_pkey: 'ID_TAKEN' },
  resources: { userAuthMethod: userAuthMethodResource },
  routes: [
    on(listUserAuthMethods, async ({ db, platform, params, page }) => {
      const { items, total } = await methodsOf(db, params.projectId, page);
      return { items: items.map(row => toMethod(platform, row)), total };
    }),

    on(readUserAuthSetup, async ({ platform }) => {
      const methodId = platform.newId('uam');
      return { methodId, redirectUri: redirectUri(platform, methodId) };
    }),

    on(createUserAuthMethod, look, async (call, looked) => {
      const { db, params, now, platform } = call;
      await checkRoom(db, params.projectId, {
        table: 'user_auth_methods',
        max: methodsMax,
        reason: 'TOO_MANY_METHODS' as const,
      });
      const id = call.body.id ?? platform.newId('uam');
      await insertMethod(db, { ...editOf(call, looked), projectId: params.projectId, id, now });
      return { ...(await read(call, id)), findings: looked.findings };
    }),

    on(readUserAuthMethod, async ({ platform, row }) => toMethod(platform, row)),

    on(editUserAuthMethod, look, async (call, looked) => {
      const { db, params, platform } = call;
      const before = toMethod(platform, call.row);
      checkSecretStays(call, before);
      await checkIssuerStays(call, before);
      // As the API shows it, so that the audit log entry compares the same fields.
      call.before = { ...before, findings: [] };
      await updateMethod(db, params.projectId, params.methodId, editOf(call, looked));
      return { ...(await read(call, params.methodId)), findings: looked.findings };
    }),

    on(deleteUserAuthMethod, ({ db, params }) => deleteMethod(db, params.projectId, params.methodId)),

    on(readUserAuthIcon, async ({ db, params }) => {
      const icon = await findIcon(db, params.projectId, params.methodId);
      if (!icon) throw new Problem('RESOURCE_NOT_FOUND');
      // Served as a download: it still works as an image in a page, but cannot be opened as a page of our origin.
      return { contentType: icon.type, filename: 'icon', body: Readable.from([icon.bytes]) };
    }),

    on(startUserAuthTest, prepareTest, startTest),
    on(readUserAuthTest, readTest),
  ],
};

/** Otherwise anyone who may not read the secret could have it sent to an issuer of their own. */
function checkSecretStays({ body }: Call<typeof editUserAuthMethod>, before: UserAuthMethod): void {
  const { issuer = before.config.issuer, clientSecret } = body.config ?? {};
  if (issuer !== before.config.issuer && clientSecret === undefined)
    throw new Problem('INVALID_FIELDS', { fields: { 'config.clientSecret': 'REQUIRED' } });
}

/**
 * A user is known by method, issuer and subject: under another issuer, nobody would get into their account, and another
 * provider may use the same subjects for other people.
 */
async function checkIssuerStays(
  { db, params, body }: Call<typeof editUserAuthMethod>,
  { config: { issuer } }: UserAuthMethod,
): Promise<void> {
  if (body.config?.issuer === undefined || body.config.issuer === issuer) return;
  if (await isIssuerUsed(db, { ...params, issuer }))
    throw new Problem('ISSUER_IN_USE', { fields: { 'config.issuer': 'ISSUER_IN_USE' } });
}

interface Looked {
  findings: IssuerFinding[];
  icon: Icon | null | undefined;
}

/** Fetches what is needed before a method is stored. Outside of the transaction, because other servers may be slow. */
async function look({
  platform,
  body,
}: Call<typeof createUserAuthMethod> | Call<typeof editUserAuthMethod>): Promise<Looked> {
  const { issuer } = body.config ?? {};
  const [findings, icon] = await Promise.all([
    issuer === undefined ? [] : inspectIssuer(platform, issuer),
    body.iconUrl === undefined ? undefined : body.iconUrl === '' ? null : fetchIcon(platform, body.iconUrl),
  ]);
  return { findings, icon };
}

function editOf(
  { platform, body }: Call<typeof createUserAuthMethod> | Call<typeof editUserAuthMethod>,
  { icon }: Looked,
): MethodEdit {
  const { label, description, iconUrl, config, trustsEmail } = body;
  const { issuer, clientId, clientSecret } = config ?? {};
  const sealedSecret = clientSecret === undefined ? undefined : platform.sealing.seal(clientSecret);
  return { label, description, iconUrl, icon, issuer, clientId, sealedSecret, trustsEmail };
}

async function read(
  { db, platform, params }: Call<typeof createUserAuthMethod> | Call<typeof editUserAuthMethod>,
  id: string,
): Promise<UserAuthMethod> {
  const row = await findMethod(db, params.projectId, id);
  if (!row) throw new Problem('USER_AUTH_METHOD_NOT_FOUND');
  return toMethod(platform, row);
}

function toMethod(platform: Platform, { createdAt, ownCallback, ...row }: MethodRow): UserAuthMethod {
  const callback = redirectUri(platform, ownCallback ? row.id : undefined);
  return { ...row, redirectUri: callback, createdAt: createdAt.toISOString() };
}
