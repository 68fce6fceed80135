import type { DeviceRow, listDevices } from '#contract/device.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type ListedRow, listedColumns, toListed } from '#server/devices/devices/device.ts';
import type { ListDeclaration } from '#server/infra/db/list/declaration.ts';
import { limitsMs } from '#server/infra/db/list/findRows.ts';
import { type ListAnswer, listPage } from '#server/infra/db/list/listPage.ts';
import { sql } from '#server/infra/db/sql.ts';
import { countOf } from './counters.ts';
import { type DeviceFilter, deviceConditions, presenceConditions } from './filters.ts';

/** Texts sort alphabetically, ignoring case and accents; the id alone sorts by creation time. */
const deviceList: ListDeclaration<DeviceFilter, ListedRow, DeviceRow> = {
  tables: [
    { name: 'devices', alias: 'd', id: 'id', conditions: deviceConditions },
    { name: 'device_presence', alias: 's', id: 'device_id', conditions: presenceConditions },
  ],
  owner: { column: 'project_id', of: ({ projectId }) => projectId },
  idsAreGlobal: true,
  columns: listedColumns,
  toItem: toListed,
  sortable: {
    creationTime: 'id',
    tag: { column: 'd.tag_order', type: 'text', isIndexed: true },
    name: { column: 'd.name_order', type: 'text', isIndexed: true },
    lastSeen: { column: 's.seen_order', type: 'timestamptz', isIndexed: true },
  },
  search: 'd.search',
  group: {
    column: 'device_class',
    of: ({ deviceClass }) => deviceClass,
    all: ({ projectId }, max) => sql`
      select id from device_classes where project_id = ${projectId} limit ${max}`,
    // A home has few devices, and its own index.
    isNeedless: ({ homeId }) => homeId !== undefined,
  },
  counted: countOf,
};

export async function devicesOf(
  call: Pick<Call<typeof listDevices>, 'row' | 'query' | 'page' | 'now' | 'platform' | 'setHeader'>,
  limits = limitsMs,
): Promise<ListAnswer<DeviceRow>> {
  const { page, now, platform } = call;
  const { cursor, ...asked } = call.query;
  const filter = { ...asked, projectId: call.row.projectId };
  const answer = await listPage(platform.db, deviceList, { filter, page, cursor, now }, limits);
  if (answer.nextCursor) call.setHeader(nextCursorHeader, answer.nextCursor);
  return answer;
}
