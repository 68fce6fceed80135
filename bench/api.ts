import autocannon from 'autocannon';
import { createProject } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { newcomer, password } from '#test/newcomer.ts';
import { beside, besideHead, besideNotes, headersOf, startBoth } from './beside.ts';
import { report } from './report.ts';

const seconds = 5;
const projects = 60;

interface Load {
  name: string;
  bar: number;
  request: (ids: { projectId: string; email: string }) => Partial<autocannon.Options>;
}

const loads: Load[] = [
  {
    name: 'GET one project',
    bar: 0.7,
    request: ({ projectId }) => ({ url: `/api/projects/${projectId}`, connections: 10 }),
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

/** Ours beside bare Fastify with the same SQL, on the same database, one after the other in the same run. */
export async function run(): Promise<void> {
  const both = await startBoth();
  const { mooring, db } = both;
  const visitor = await newcomer(mooring.url, 'bench@example.com');
  const { client, email } = visitor;
  await db.run(sql`update developers set max_projects = 10000000`);
  let projectId = '';
  for (let i = 0; i < projects; i++) {
    projectId = (await client.call(createProject, { body: { name: `project ${i}` } })).id;
  }

  const rows: string[][] = [];
  for (const load of loads) {
    const options = load.request({ projectId, email });
    const fire = ({ url }: { url: string }) =>
      autocannon({
        ...options,
        url: url + options.url,
        duration: seconds,
        headers: headersOf(visitor),
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
    notes: [...besideNotes, 'Differences under 15 % are a tie.'],
  });
}
