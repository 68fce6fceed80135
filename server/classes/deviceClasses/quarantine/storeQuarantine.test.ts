import { expect, it } from 'vitest';
import type { Db } from '#server/infra/db/sql.ts';
import { Quarantine, type Quarantined } from './storeQuarantine.ts';

const message = (deviceClass: string): Quarantined => ({
  id: 'qrt_1',
  projectId: 'prj_1',
  deviceClass,
  deviceId: 'dev_1',
  kind: 'event',
  name: 'door',
  text: '1',
  faults: [],
  ts: new Date(),
});

it('a class is pruned only from time to time, and its counter is forgotten after many other classes', async () => {
  let statements = 0;
  const db = {
    run: async () => {
      statements += 1;
      return 1;
    },
  } as unknown as Db;
  const quarantine = new Quarantine();
  const count = async (rows: Quarantined[]) => {
    const before = statements;
    await quarantine.store(db, rows);
    return statements - before;
  };
  expect(await count([message('first')])).toBe(2);
  expect(await count([message('first')])).toBe(1);
  await count(Array.from({ length: 2_000 }, (_, i) => message(`class ${i}`)));
  expect(await count([message('first')])).toBe(2);
});
