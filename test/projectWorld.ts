import { afterAll, beforeAll } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
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

  /** A device that was never connected. */
  device(given: Parameters<typeof aDevice>[2] = {}): ReturnType<typeof aDevice> {
    return aDevice(this.owner, this.projectId, given);
  }
}

/** For the tests of a file. */
export function aProjectWorld(settings: Record<string, string> = {}): ProjectWorld {
  return forTheFile(new ProjectWorld(), settings);
}

/** Starts the world before the tests of a file, and stops it after them. */
export function forTheFile<T extends ProjectWorld>(at: T, settings: Record<string, string>): T {
  beforeAll(async () => {
    at.world = await aWorld(settings);
    at.owner = await at.world.aDeveloper();
    // Tests create their own projects freely, so the limit per developer is raised.
    const { id } = at.owner.developer;
    await at.world.platform.db.run(sql`update developers set max_projects = 1000 where id = ${id}`);
    at.projectId = (await at.world.aProject(at.owner)).id;
  });
  afterAll(() => at.world.end());
  return at;
}
