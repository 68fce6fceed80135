import { afterAll, beforeAll } from 'vitest';
import type { Log } from '#server/infra/log.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { aWire, type Wire } from './wire.ts';
import { aWorld, type World } from './world.ts';

interface WireWorld {
  world: World;
  wire: Wire;
  /** The database, accessed directly instead of over the wire. */
  database: TestDatabase;
  /** What the server has logged. */
  logged: string[];
}

/** For the tests of a file: a server whose database can become unavailable and return. */
export function aWireWorld(settings: Record<string, string> = {}): WireWorld {
  const at = {} as WireWorld;
  beforeAll(async () => {
    at.database = await testDatabase();
    at.wire = await aWire(at.database.url);
    at.logged = [];
    const log: Log = (level, message, detail) => {
      at.logged.push(`${level} ${message}${detail ? ` ${JSON.stringify(detail)}` : ''}`);
    };
    at.world = await aWorld({ DATABASE_URL: at.wire.url, ...settings }, { log });
  });
  afterAll(async () => {
    await at.world.end();
    await at.wire.end();
    await at.database.end();
  });
  return at;
}
