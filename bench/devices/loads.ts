import autocannon from 'autocannon';
import { listDevices } from '#contract/device.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Newcomer } from '#test/newcomer.ts';
import type { ServerProcess } from '#test/serverProcess.ts';
import { beside, besideHead, besideNotes, headersOf, type Servers } from '../reference/beside.ts';
import { report } from '../report.ts';

const seconds = 6;

interface Measured extends Servers {
  visitor: Newcomer;
  projects: ReadonlyMap<number, string>;
  all: number;
}

interface Load {
  name: string;
  bar: number;
  connections: number;
  method?: 'POST';
  body?: string;
  /** Returns a different URL each time. */
  url: () => string;
}

/**
 * Compares our server with bare Fastify and the same SQL, on the same database, one after the other in the same run.
 */
export async function reportLoads(measured: Measured): Promise<void> {
  const { visitor, db, all } = measured;
  const rows: string[][] = [];
  for (const load of await loadsOf(measured)) {
    const clean = async () =>
      load.method && (await db.run(sql`delete from devices where tag = ${made} or key_end = 'abcd'`));
    rows.push(await beside(measured, load, server => fire(server, load, visitor), clean));
  }
  report({
    title: `Devices beside bare Fastify with the same SQL, ${all.toLocaleString('en')} devices in all`,
    command: 'npm run bench -- devices',
    head: besideHead,
    rows,
    notes: [
      ...besideNotes,
      'A page of 25 of one class of four, with its total. Differences under 15 % are a tie.',
    ],
  });
}

const made = 'made in a bench';

async function loadsOf({ visitor, projects }: Measured): Promise<Load[]> {
  const sizes = [...projects];
  const ofSize = (size: number, projectId: string): Load[] => {
    const list = `/api/devices?projectId=${projectId}&deviceClass=demo-1`;
    const where = `${size.toLocaleString('en')} in the project`;
    const any = () => 1 + Math.floor(Math.random() * size);
    return [
      { name: `list, ${where}`, bar: 0.7, connections: 10, url: () => list },
      {
        name: `list + rare search, ${where}`,
        bar: 0.7,
        connections: 10,
        url: () => `${list}&search=-${any()}`,
      },
      {
        name: `list + broad search, ${where}`,
        bar: 0.7,
        connections: 10,
        url: () => `${list}&search=boiler`,
      },
    ];
  };
  const [size, projectId = ''] = sizes.at(-1) ?? [0, ''];
  const ids = await someOf(visitor, projectId, size);
  const list = `/api/devices?projectId=${projectId}&deviceClass=demo-1`;
  const body = JSON.stringify({ projectId, deviceClass: 'demo-1', tag: made });
  const create = {
    name: 'create a device, durable, audited',
    bar: 0.6,
    method: 'POST' as const,
    body,
    url: () => '/api/devices',
  };
  return [
    ...sizes.filter(([one]) => one === 10_000 || one === size).flatMap(one => ofSize(...one)),
    {
      name: 'page in the middle, by cursor',
      bar: 0.7,
      connections: 10,
      url: () => `${list}&cursor=${ids.cursor}`,
    },
    { name: 'one device', bar: 0.7, connections: 10, url: () => `/api/devices/${ids.any()}` },
    { ...create, connections: 10 },
    { ...create, connections: 50 },
  ];
}

async function someOf({ client }: Newcomer, projectId: string, size: number) {
  let cursor = '';
  const { items } = await client.call(listDevices, {
    query: { projectId, deviceClass: 'demo-1', skip: Math.floor(size / 8), limit: 500 },
    onHeaders: headers => {
      cursor = headers.get(nextCursorHeader) ?? '';
    },
  });
  return { cursor, any: () => items[Math.floor(Math.random() * items.length)]?.id ?? '' };
}

function fire(server: ServerProcess, load: Load, visitor: Newcomer): Promise<autocannon.Result> {
  const { connections, method = 'GET', body, url } = load;
  return autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        path: url(),
        headers: headersOf(visitor),
        ...(body && { body }),
        setupRequest: request => ({ ...request, path: url() }),
      },
    ],
  });
}
