import { afterAll, beforeAll } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { aClass, aDevice } from './devices.ts';
import { aWorld, type SignedIn, type World } from './world.ts';

/** A server, a developer and a project of theirs. */
export class ProjectWorld {
  world!: World;
  owner!: SignedIn;
  projectId = '';

  deviceClass(given: Parameters<typeof aClass>[2] = {}): ReturnType<typeof aClass> {
    return aClass(this.owner, this.projectId, given);
  }

  /** One that was never connected. */
  device(given: Parameters<typeof aDevice>[2] = {}): ReturnType<typeof aDevice> {
    return aDevice(this.owner, this.projectId, given);
  }
}

/** For the tests of a file. */
export function aProjectWorld(settings: Record<string, string> = {}): ProjectWorld {
  return forTheFile(new ProjectWorld(), settings);
}

/** Begins it before the tests of a file, and ends it after them. */
export function forTheFile<T extends ProjectWorld>(at: T, settings: Record<string, string>): T {
  beforeAll(async () => {
    at.world = await aWorld(settings);
    at.owner = await at.world.aDeveloper();
    // A test makes a project of its own whenever it wants one.
    const { id } = at.owner.developer;
    await at.world.platform.db.run(sql`update developers set max_projects = 1000 where id = ${id}`);
    at.projectId = (await at.world.aProject(at.owner)).id;
  });
  afterAll(() => at.world.end());
  return at;
}
