import type { Consent } from '#contract/deviceFirmware.ts';
import { movingStates, type UpdateWait } from '#contract/deviceWire.ts';
import type { DevicePulse, MovingUpdate } from '#contract/fleet.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

type InShort = DevicePulse['firmware'];

interface Row {
  id: string;
  version: string | null;
  /** Null: no update is in progress. */
  state: MovingUpdate['state'] | null;
  bundleId: string;
  bundleName: string | null;
  component: string | null;
  percent: number | null;
  waitsFor: UpdateWait | null;
  consent: Consent | null;
  versionComing: string | null;
}

/** What devices run and which update is in progress, each as one version; one statement for any number of devices. */
export async function firmwareInShort(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, InShort>> {
  const rows = await db.many<Row>(sql`
    select asked.id,
      case when change.coming is null then s.installed #>> '{components,0,version}' else change.installed end as version,
      t.state, t.bundle_id as "bundleId", t.component, t.percent::float8 as percent, t.waits_for as "waitsFor",
      t.consent - 'by' as consent, change.coming as "versionComing",
      (select b.name from bundles b where b.project_id = t.project_id and b.id = t.bundle_id) as "bundleName"
    from unnest(${ids}::text[]) as asked (id)
    left join device_states s on s.project_id = ${projectId} and s.device_id = asked.id
    left join device_targets t on t.project_id = ${projectId} and t.device_id = asked.id
      and t.bundle_id is not null and t.state = any(${movingStates}::text[])
    left join lateral (
      select i.component ->> 'version' as installed, v.name as coming
      from bundle_components b
      join components c on c.project_id = b.project_id and c.id = b.component_id
      join component_versions v on v.project_id = b.project_id and v.id = b.version_id
      left join jsonb_array_elements(s.installed -> 'components') with ordinality as i (component, place)
        on i.component ->> 'component' = c.name
      where b.project_id = t.project_id and b.bundle_id = t.bundle_id
        and v.name is distinct from i.component ->> 'version'
      order by i.place, c.name limit 1) change on true
    where s.installed is not null or t.device_id is not null`);
  return new Map(rows.map(row => [row.id, toShort(row)]));
}

function toShort({ version, state, bundleId, bundleName, ...row }: Row): InShort {
  const { component, percent, waitsFor, consent, versionComing } = row;
  return {
    ...(version !== null && { version }),
    ...(state !== null && {
      update: {
        state,
        bundle: { id: bundleId, name: bundleName ?? bundleId },
        ...(component !== null && { component }),
        ...(percent !== null && { percent }),
        ...(waitsFor !== null && { waitsFor }),
        ...(consent !== null && { consent }),
        ...(versionComing !== null && { version: versionComing }),
      },
    }),
  };
}
