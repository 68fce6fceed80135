import type { Home, listHomes } from '#contract/home.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import type { ListDeclaration } from '#server/infra/db/list/declaration.ts';
import { listPage } from '#server/infra/db/list/listPage.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { empty, sql } from '#server/infra/db/sql.ts';
import { type HomeRow, homeColumns, toHome } from './home.ts';

interface HomeFilter {
  projectId: string;
  active: 'true' | 'false' | undefined;
}

const homeList: ListDeclaration<HomeFilter, HomeRow, Home> = {
  tables: [{ name: 'homes', alias: 'h', id: 'id', conditions: isActive }],
  owner: { column: 'project_id', of: ({ projectId }) => projectId },
  idsAreGlobal: true,
  idType: 'bigint',
  columns: homeColumns,
  toItem: toHome,
  sortable: {
    name: { column: 'h.name_order', type: 'text', isIndexed: true },
    // Ids are assigned in ascending order.
    createdAt: 'id',
  },
  search: 'h.search',
};

function isActive({ active }: HomeFilter) {
  return active === undefined ? [] : [active === 'true' ? sql`h.active` : sql`not h.active`];
}

const orders = { name: 'h.name_order', createdAt: 'h.id' };

/** The homes of a project, which can be many, or those of one user. */
export async function homesOf({ db, platform, row, query, page, now }: Call<typeof listHomes>) {
  const { projectId, userId } = row;
  const filter = { projectId, active: query.active };
  if (userId === undefined) return listPage(platform.db, homeList, { filter, page, cursor: undefined, now });
  const searched = page.search ? sql`and ${contains(sql`h.search`, page.search)}` : empty;
  const [active = sql`true`] = isActive(filter);
  return pageOf(db, {
    columns: homeColumns,
    from: sql`home_members m join homes h on h.project_id = m.project_id and h.id = m.home_id`,
    where: sql`m.project_id = ${projectId} and m.user_id = ${userId} and ${active} ${searched}`,
    orders,
    key: sql`h.id`,
    page,
    as: (home: HomeRow) => toHome(home, now),
  });
}
