import { Readable } from 'node:stream';
import { type AppConfig, readAppConfig, readMethodIcon } from '#contract/appApi/config.ts';
import { Problem } from '#contract/problem.ts';
import type { PasswordPolicy } from '#contract/project.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';
import { findIcon } from '#server/people/userAuthMethods/store.ts';

interface ConfigRow {
  config: AppConfig['config'];
  userAuthMessage: string;
  policy: PasswordPolicy | null;
}

interface MethodRow {
  id: string;
  label: string;
  description: string;
  hasIcon: boolean;
}

function methodsOf(db: Db, projectId: string): Promise<MethodRow[]> {
  return db.many<MethodRow>(sql`
    select id, label, description, icon is not null as "hasIcon" from user_auth_methods
    where project_id = ${projectId} order by ${raw(byName('label'))}, id`);
}

async function configOf({
  db,
  inApp,
  platform,
}: Pick<Call, 'db' | 'inApp' | 'platform'>): Promise<AppConfig> {
  const { id, projectId, projectName, userAccountMode } = inApp;
  const row = await db.one<ConfigRow>(sql`
    select a.config, p.user_auth_message as "userAuthMessage", p.user_password_policy as policy
    from apps a join projects p on p.id = a.project_id where a.project_id = ${projectId} and a.id = ${id}`);
  if (!row) throw new Problem('APP_NOT_FOUND');
  // Users that are brought from a back end have no other way to sign in.
  const isOwn = userAccountMode === 'email';
  const methods = isOwn ? await methodsOf(db, projectId) : [];
  const baseUrl = `${platform.publicUrl()}/app/v1/${id}@${projectId}`;
  return {
    app: id,
    project: { id: projectId, name: projectName },
    config: row.config,
    userAuthMessage: row.userAuthMessage,
    userAccountMode,
    registration: inApp.restrictUserReg ? 'invitation' : 'open',
    passwordLogin: isOwn && !inApp.restrictPasswordLogin,
    ...(row.policy && { passwordPolicy: row.policy }),
    methods: methods.map(({ hasIcon, ...method }) => ({
      ...method,
      ...(hasIcon && { iconUrl: `${baseUrl}/methods/${method.id}/icon` }),
    })),
    accessControl: inApp.hasRoles ? 'roles' : 'legacy',
    homeCreation: !inApp.restrictHomeCreation,
    onDemandProvisioning: inApp.onDemandProvisioning,
  };
}

export const appConfigRoutes = [
  on(readAppConfig, configOf),

  on(readMethodIcon, async ({ db, inApp, params }) => {
    const methods = await methodsOf(db, inApp.projectId);
    if (!methods.some(({ id }) => id === params.methodId)) throw new Problem('USER_AUTH_METHOD_NOT_FOUND');
    const icon = await findIcon(db, inApp.projectId, params.methodId);
    if (!icon) throw new Problem('RESOURCE_NOT_FOUND');
    return { contentType: icon.type, filename: 'icon', body: Readable.from([icon.bytes]) };
  }),
];
