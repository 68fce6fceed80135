import type { DeviceClass } from '#contract/deviceClass.ts';
import { type ReportedProperties, reportedPropertiesMax, sampledDevicesMax } from '#contract/deviceState.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

type Property = ReportedProperties['properties'][number];

/**
 * What the devices of a class report, from a sample of the devices connected last: so a class of a million devices
 * costs no more than one of a thousand, and the result reflects its current firmware.
 */
export async function reportedPropertiesOf(
  db: Db,
  { projectId, id, deviceCount }: Pick<DeviceClass, 'projectId' | 'id' | 'deviceCount'>,
): Promise<ReportedProperties> {
  const rows = await db.many<{ devices: number; property: Property | null }>(sql`
    with latest as (
      select device_id from device_presence where project_id = ${projectId} and device_class = ${id}
      order by seen_order desc, device_id desc limit ${sampledDevicesMax}),
    states as (
      select s.reported from latest join device_states s
        on s.project_id = ${projectId} and s.device_id = latest.device_id
      where s.reported_at is not null),
    members as (
      select key as name,
        case when jsonb_typeof(value) <> 'number' then jsonb_typeof(value)
          when value::numeric % 1 = 0 then 'integer' else 'number' end as type
      from states, jsonb_each(reported)),
    properties as (
      select name, count(*)::int as devices, array_agg(distinct type) as types
      from members group by name order by count(*) desc, name limit ${reportedPropertiesMax})
    select (select count(*)::int from states) as devices,
      case when p.name is null then null
        else json_build_object('name', p.name, 'devices', p.devices, 'types', p.types) end as property
    from (values (1)) as always left join properties p on true`);
  return {
    devices: rows[0]?.devices ?? 0,
    sampled: deviceCount > sampledDevicesMax,
    properties: rows.flatMap(({ property }) => (property ? [withoutWhole(property)] : [])),
  };
}

/** A property that is sometimes 21 and sometimes 21.5 is a number. */
function withoutWhole({ types, ...property }: Property): Property {
  const isNumber = types.includes('number');
  return { ...property, types: types.filter(type => !(isNumber && type === 'integer')) };
}
