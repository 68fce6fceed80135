import { afterAll, beforeAll, expect, it } from 'vitest';
import { readComponentVersion } from '#contract/componentVersion.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { uploaded } from '#test/logRequests.ts';
import { rawCall } from '#test/rawCall.ts';
import { aReadyVersion } from '#test/versions.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';

const logged: string[] = [];
let world: World;
let owner: SignedIn;
let projectId: string;
beforeAll(async () => {
  world = await aWorld(
    {},
    { log: (level, message, detail) => logged.push(`${level} ${message} ${JSON.stringify(detail)}`) },
  );
  owner = await world.aDeveloper();
  projectId = (await world.aProject(owner)).id;
  const body = { allowPublicOTAU: true };
  await owner.client.call(editProject, { params: { projectId }, body });
});
afterAll(() => world.end());

/** The addresses of a file, and the place where it is stored. */
const files: Record<string, () => Promise<{ url: string; place: string }>> = {
  'a version, by a link': async () => {
    const { id } = await aReadyVersion(world, owner, projectId);
    const { url = '' } = await owner.client.call(readComponentVersion, { params: { versionId: id } });
    return { url, place: await placeOf(id) };
  },
  'a version that is public': async () => {
    const { id } = await aReadyVersion(world, owner, projectId);
    return { url: `${world.url}/firmware/${id}`, place: await placeOf(id) };
  },
  'a log': async () => {
    const { url, id } = await uploaded(world);
    const row = await world.platform.db.one<{ place: string }>(
      sql`select file as place from log_requests where id = ${id}`,
    );
    return { url, place: row?.place ?? '' };
  },
};

async function placeOf(versionId: string): Promise<string> {
  const row = await world.platform.db.one<{ place: string }>(
    sql`select place from component_versions where id = ${versionId}`,
  );
  return row?.place ?? '';
}

it.each(Object.keys(files))(
  'a missing file of %s is a 404 in our words, also for HEAD, and is logged',
  async of => {
    const { url, place } = (await files[of]?.()) ?? { url: '', place: '' };
    expect((await rawCall(fetch, ['HEAD', url])).status).toBe(200);
    await world.platform.storage.remove(place);
    const { status, problem, headers } = await rawCall(fetch, ['GET', url]);
    expect([status, problem]).toEqual([
      404,
      { reason: 'FILE_NOT_FOUND', message: 'This file cannot be downloaded.' },
    ]);
    const told = ['content-type', 'content-disposition', 'etag', 'accept-ranges'];
    expect(told.map(name => headers.get(name))).toEqual([
      'application/json; charset=utf-8',
      null,
      null,
      null,
    ]);
    expect((await rawCall(fetch, ['HEAD', url])).status).toBe(404);
    expect(logged.filter(line => line.includes(place))).toEqual([
      expect.stringMatching(/^error A file is missing in the file store/),
      expect.stringMatching(/^error A file is missing in the file store/),
    ]);
  },
);
