import { type Db, sql } from '#server/infra/db/sql.ts';
import { aHome, ownerOf } from '../homes.ts';
import type { SignedIn, World } from '../world.ts';

/** Inserts a row of each noun into a project, and returns the ids by their names in paths. */
export async function matrixRows(
  world: World,
  projectId: string,
  owner: SignedIn,
): Promise<Record<string, string>> {
  const homeId = await aHome(world, projectId);
  const ids = {
    projectId,
    developerId: owner.developer.id,
    sessionId: 'ses_none',
    tokenId: 'pat_none',
    org: 'default',
    templateId: 'user-invite',
    methodId: 'uam_matrix',
    testId: 'tst_none',
    classId: 'matrix',
    deviceId: 'dev_01k9x3m2h4e6d8b0a2c4e6g8j0',
    pairKey: 'none',
    revision: '1',
    requestId: 'lrq_none',
    commandId: 'cmd_none',
    alertId: 'alr_matrix',
    actionId: 'act_none',
    importId: 'imp_none',
    viewId: 'dvw_matrix',
    componentId: 'cmp_matrix',
    versionId: 'ver_matrix',
    uploadId: 'upl_none',
    bundleId: 'bnd_matrix',
    channelId: 'chn_matrix',
    rolloutId: 'rol_matrix',
    homeId,
    userId: await ownerOf(world, homeId),
    invitationId: 'hin_none',
    appId: 'matrix',
    keyId: 'key_matrix',
    moduleId: 'matrix',
    moduleType: 'webhook',
    runId: 'run_none',
    replayId: 'rpl_none',
    tableVersion: '1',
    exportId: 'exp_none',
    routeId: 'prx_matrix',
    findingId: 'lost',
  };
  const { db } = world.platform;
  await insertDevice(db, ids);
  await insertFirmware(db, ids);
  await insertKeys(db, ids);
  await insertModule(db, ids);
  return ids;
}

type Ids = Awaited<ReturnType<typeof matrixRows>>;

async function insertDevice(db: Db, ids: Ids): Promise<void> {
  const { projectId } = ids;
  await db.run(sql`
    with class as (
      insert into device_classes (project_id, id, created_at) values (${projectId}, 'matrix', now()) returning *),
    device as (
      insert into devices (project_id, id, device_class, key_hash, key_end, created_at)
      select project_id, ${ids.deviceId}, id, '', '', now() from class returning *)
    insert into device_presence (project_id, device_id, device_class) select project_id, id, device_class from device`);
  await db.run(sql`
    insert into channels (project_id, id, device_class, name, created_at)
    values (${projectId}, ${ids.channelId}, 'matrix', 'stable', now())`);
  await db.run(sql`
    insert into device_views (project_id, id, name, query, created_at)
    values (${projectId}, ${ids.viewId}, 'matrix', '{}', now())`);
  await db.run(sql`
    insert into alerts (project_id, id, device_id, device_class, key, ts, last_at, severity, text)
    values (${projectId}, ${ids.alertId}, ${ids.deviceId}, 'matrix', 'x', now(), now(), 'info', 'x')`);
  await db.run(sql`
    insert into user_auth_methods (project_id, id, label, protocol, issuer, client_id, client_secret, created_at)
    values (${projectId}, 'uam_matrix', 'Matrix', 'oidc', 'https://127.0.0.1', 'client', '', now())`);
}

async function insertFirmware(db: Db, ids: Ids): Promise<void> {
  const { projectId } = ids;
  await db.run(sql`
    with part as (
      insert into components (project_id, id, name, created_at) values (${projectId}, 'cmp_matrix', 'matrix', now())
      returning *)
    insert into component_versions (project_id, id, component_id, name, created_at)
    select project_id, 'ver_matrix', id, 'matrix', now() from part`);
  await db.run(sql`
    insert into bundles (project_id, id, device_class, name, created_at)
    values (${projectId}, 'bnd_matrix', 'matrix', 'matrix', now())`);
  await db.run(sql`
    insert into rollouts (project_id, id, device_class, channel_id, bundle_id, state, steps, soak_s, failure_percent,
      gates, created_at)
    values (${projectId}, ${ids.rolloutId}, 'matrix', ${ids.channelId}, ${ids.bundleId}, 'draft',
      '[{"percent": 100, "startsBy": "hand"}]', 0, 5, '{}', now())`);
}

async function insertKeys(db: Db, ids: Ids): Promise<void> {
  const { projectId } = ids;
  await db.run(sql`
    insert into apps (project_id, id, user_sessions_ttl_s, created_at)
    values (${projectId}, ${ids.appId}, 86400, now())`);
  await db.run(sql`
    insert into keys (project_id, id, name, can_send_commands, can_send_events, can_handle_byou, can_update_kv_stores,
      can_admin, secret_hash, secret_end, secret_created_at, created_at, created_by)
    values (${projectId}, ${ids.keyId}, 'matrix', true, true, true, true, true, '', '', now(), now(), '')`);
  await db.run(sql`
    insert into proxy_routes (project_id, id, resource, source_path, target_url, home_roles, algorithm, key_id,
      key_sealed, key_created_at, created_at, created_by)
    values (${projectId}, ${ids.routeId}, 'project', '/', 'https://127.0.0.1', '{owner}', 'hmac-sha256', 'prk_matrix',
      '', now(), now(), '')`);
}

async function insertModule(db: Db, ids: Ids): Promise<void> {
  await db.run(sql`
    insert into smart_modules (project_id, id, module_type, config, created_at, created_by, changed_at)
    values (${ids.projectId}, ${ids.moduleId}, 'webhook', '{}', now(), '', now())`);
}
