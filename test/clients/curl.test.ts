import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asCurl, asTypeScript, cookiePlace } from '#console/frame/layout/overlays/callSnippets.ts';
import { createClient, type Recorded } from '#contract/client.ts';
import { editEmailTemplate, listEmailTemplates, revertEmailTemplate } from '#contract/emailTemplate.ts';
import { readLogEntries } from '#contract/log.ts';
import { createProject, editProject, listProjects, readProject } from '#contract/project.ts';
import { readStats, readTrafficStats } from '#contract/stats.ts';
import { addMember, listMembers, removeMember } from '#contract/team.ts';
import { dayMs } from '#rules/time/durations.ts';
import { type SignedIn, theWorld, unique } from '../world.ts';

/** Runs what the console's inspector copies, in a shell and in a program. */
const run = promisify(execFile);
const hasCurl = (() => {
  try {
    return execFileSync('curl', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

const world = theWorld();
let ada: SignedIn;
let recorded: Recorded[] = [];
let cookie: string;

beforeAll(async () => {
  ada = await world.aDeveloper();
  cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  vi.stubGlobal('window', { location: { origin: world.url } });
  recorded = await callsOfAProject();
});
afterAll(() => vi.unstubAllGlobals());

/**
 * One call of each kind: with a query, with a body full of special characters, with a form, with a revision, and with
 * none of these.
 */
async function callsOfAProject(): Promise<Recorded[]> {
  const made: Recorded[] = [];
  const client = createClient({
    baseUrl: '/api',
    fetch: (path, init) => ada.fetch(world.url + String(path), init),
    onCall: call => made.push(call),
  });
  const { id: projectId, revision } = await client.call(createProject, {
    body: { name: `it's "$HOME" \`x\`` },
  });
  const params = { projectId };
  const template = { ...params, templateId: 'user-invite' };
  const now = world.now().getTime();
  const query = { begin: new Date(now - dayMs).toISOString(), end: new Date(now + dayMs).toISOString() };
  await client.call(listProjects, { query: { search: "it's", limit: 10 } });
  await client.call(readProject, { params });
  await client.call(editProject, { params, body: { description: '@file\n\\n %41 ü ✓' }, ifMatch: revision });
  await client.call(readStats, { params });
  await client.call(readTrafficStats, { params, query: { begin: '2026-10', end: '2026-11' } });
  await client.call(readLogEntries, { params, query });
  await client.call(listEmailTemplates, { params });
  await client.call(editEmailTemplate, { params: template, body: { subject: "It's {{ user.email }}" } });
  await client.call(revertEmailTemplate, { params: template });
  const { developerId } = await client.call(addMember, {
    params,
    body: { email: `${unique('b')}+1@example.com` },
  });
  await client.call(listMembers, { params });
  await client.call(removeMember, { params: { ...params, developerId } });
  return made;
}

/** When the call is repeated, its revision is stale. */
const expectedOf = ({ name, status }: Recorded) => (name === 'editProject' ? 409 : status);

it.runIf(hasCurl)('a call copied as curl does the same in a shell as in the console', async () => {
  expect(recorded).toHaveLength(13);
  for (const call of recorded) {
    const line = asCurl(call).replace(cookiePlace, cookie);
    const { stdout } = await run('bash', ['-c', `${line} -s -w '\\n%{http_code}'`]);
    const [status, ...answer] = stdout.split('\n').reverse();
    expect([call.name, answer.length > 0 && Number(status)]).toEqual([call.name, expectedOf(call)]);
    if (call.name === 'createProject') expect(stdout).toContain(`it's \\"$HOME\\" \`x\``);
  }
});

it('a call copied as TypeScript does the same in a program as in the console', async () => {
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '-e', `${asTypeScript(recorded[0] as Recorded)}\nconsole.log(answer.name);`],
    { env: { ...process.env, MOORING_COOKIE: cookie } },
  );
  expect(stdout.trim()).toBe(`it's "$HOME" \`x\``);
});
