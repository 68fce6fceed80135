import { type DeviceRow, type listDevices, nextCursorHeader } from '#contract/device.ts';
import { toListed } from '#server/devices/device.ts';
import type { Call } from '#server/endpoints/route.ts';
import { find, limitsMs } from './listFind.ts';
import { cursorOf, orderOf } from './listOrder.ts';
import type { Total } from './listTotal.ts';

export async function devicesOf(
  call: Pick<Call<typeof listDevices>, 'query' | 'page' | 'now' | 'platform' | 'setHeader'>,
  limits = limitsMs,
): Promise<{ items: DeviceRow[] } & Total> {
  const { query, page, now, platform } = call;
  const { cursor, ...asked } = query;
  const order = orderOf(page, cursor);
  // One more than asked for says whether there is a next page. With a cursor, `skip` only says where the page stands.
  const wanted = {
    filter: { ...asked, search: page.search },
    order,
    skip: cursor === undefined ? page.skip : 0,
    limit: page.limit + 1,
  };
  const found = await find(platform.db, wanted, limits);
  const rows = found.rows.slice(0, page.limit);
  const last = found.rows.length > page.limit ? rows.at(-1) : found.goesOnAfter;
  if (last) call.setHeader(nextCursorHeader, cursorOf(order, last));
  const seen: Total = { total: page.skip + found.rows.length, totalIsLowerBound: true };
  const { total, totalIsLowerBound = false } = found.total ?? seen;
  return { items: rows.map(row => toListed(row, now)), total, totalIsLowerBound };
}
