import { expect, it } from 'vitest';
import type { Db, Sql } from '#server/infra/db/sql.ts';
import { sql } from '#server/infra/db/sql.ts';
import { updateModule } from '#server/modules/smartModules/store.ts';
import { aModule, aType } from '#test/modules.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { ModuleRegistry } from './moduleRegistry.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });

it('after a change of one module, the configurations of the others are not read again', async () => {
  const { platform } = at.world;
  const [changed, other] = [await aModule(at), await aModule(at)];
  const read: string[] = [];
  const db: Db = {
    ...platform.db,
    async many<T>(query: Sql) {
      const rows = await platform.db.many<T>(query);
      if (query.text.includes('s.config')) read.push(...rows.map(row => (row as { id: string }).id));
      return rows;
    },
  };
  const place = await platform.db.one<{ shard: number }>(sql`select module_shard(${at.projectId}) as shard`);
  const book = new ModuleRegistry(platform, {
    types: [aType(() => ({ isOk: true, summary: '' }))],
    shard: place?.shard ?? 0,
  });
  await book.read(db);
  expect(read.splice(0).toSorted()).toEqual([changed, other].toSorted());
  await updateModule(platform.db, { projectId: at.projectId, id: changed }, { config: { n: 2 } });
  await book.read(db);
  expect(read.splice(0)).toEqual([changed]);
  expect(book.find(at.projectId, changed)?.module.config).toEqual({ n: 2 });
  await platform.db.run(sql`delete from smart_modules where id = ${other}`);
  await book.read(db);
  expect([read, book.all.map(({ module }) => module.id)]).toEqual([[], [changed]]);
});
