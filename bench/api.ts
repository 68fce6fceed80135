import autocannon from 'autocannon';
import type { Client } from '#contract/client.ts';
import { createDeviceClass, writeKvPair } from '#contract/deviceClass.ts';
import { createKey } from '#contract/key.ts';
import { createProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { newcomer, password } from '#test/newcomer.ts';
import { anAccessToken } from './endUsers/accessToken.ts';
import { beside, besideHead, besideNotes, headersOf, startBoth } from './reference/beside.ts';
import { report } from './report.ts';

const seconds = 5;
const projects = 60;

interface Load {
  name: string;
  bar: number;
  request: (ids: Ids) => Partial<autocannon.Options>;
}

interface Ids {
  projectId: string;
  email: string;
  /** The token of an end user in the app `bench`. */
  accessToken: string;
  /** The secret of a key of the project. */
  secret: string;
}

const loads: Load[] = [
  {
    name: 'GET one project',
    bar: 0.7,
    request: ({ projectId }) => ({ url: `/api/projects/${projectId}`, connections: 10 }),
  },
  {
    name: 'GET me, by an end user in an app',
    bar: 0.7,
    request: ({ projectId, accessToken }) => ({
      url: `/app/v1/bench@${projectId}/me`,
      connections: 10,
      headers: { authorization: `Bearer ${accessToken}` },
    }),
  },
  { name: 'GET list of 25 with total', bar: 0.7, request: () => ({ url: '/api/projects', connections: 10 }) },
  {
    name: 'POST a project, audited',
    bar: 0.6,
    request: () => ({
      url: '/api/projects',
      method: 'POST',
      body: '{"name":"made in a bench"}',
      connections: 50,
    }),
  },
  {
    // Our server also counts each of these calls for the key.
    name: 'GET one key-value pair by the key of a back end',
    bar: 0.5,
    request: ({ secret }) => ({
      url: '/service/v1/deviceClasses/bench/kv/bench',
      headers: { authorization: `Bearer ${secret}` },
      connections: 10,
    }),
  },
  {
    name: 'POST login, Argon2id 19 MiB t2',
    bar: 0.7,
    request: ({ email }) => ({
      url: '/api/auth/password',
      method: 'POST',
      body: JSON.stringify({ orgId: 'default', email, password }),
      connections: 4,
    }),
  },
];

/**
 * Compares our server with bare Fastify and the same SQL, on the same database, one after the other in the same run.
 */
export async function run(): Promise<void> {
  const both = await startBoth();
  const { mooring, db } = both;
  const visitor = await newcomer(mooring.url, 'bench@example.com');
  const { client } = visitor;
  // An account without projects, because a sign-in is recorded in the audit log of each project.
  const { email } = await newcomer(mooring.url, 'signs-in@example.com');
  await db.run(sql`update developers set max_projects = 10000000`);
  let projectId = '';
  for (let i = 0; i < projects; i++) {
    projectId = (await client.call(createProject, { body: { name: `project ${i}` } })).id;
  }

  const accessToken = await anAccessToken(db, visitor, projectId);
  const secret = await aKey(client, projectId);

  const rows: string[][] = [];
  for (const load of loads) {
    const options = load.request({ projectId, email, accessToken, secret });
    const fire = ({ url }: { url: string }) =>
      autocannon({
        ...options,
        url: url + options.url,
        duration: seconds,
        headers: options.headers ?? headersOf(visitor),
      } as autocannon.Options);
    const clean = () => db.run(sql`delete from projects where name = 'made in a bench'`);
    rows.push(await beside(both, load, fire, clean));
  }
  await both.end();

  report({
    title: 'Developer API beside bare Fastify with the same SQL',
    command: 'npm run bench -- api',
    head: besideHead,
    rows,
    notes: [
      ...besideNotes,
      'Calls of the app API and the service API write entries to the HTTP log in both.',
      'Differences under 15 % are a tie.',
    ],
  });
}

/** Creates a key, and the class and pair that are read with it; returns the secret. */
async function aKey(client: Client, projectId: string): Promise<string> {
  await client.call(createDeviceClass, { params: { projectId }, body: { id: 'bench' } });
  const pair = { params: { classId: 'bench', pairKey: 'bench' }, body: { value: 60 } };
  await client.call(writeKvPair, pair);
  const { secret = '' } = await client.call(createKey, { params: { projectId }, body: { name: 'bench' } });
  return secret;
}
