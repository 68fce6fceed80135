import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { hashKey } from '#server/devices/keys/keys.ts';
import { type Database, openDatabase, sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import type { Identity } from './loadDevice.ts';
import type { Target } from './loads.ts';

const mosquitto = '/usr/sbin/mosquitto';

export interface Running extends Target {
  stop(): Promise<void>;
}

export interface Ours extends Running {
  url: string;
  owner: Newcomer;
  projectId: string;
  identities: Identity[];
  db: Database;
}

/** Our server, with this many devices. */
export async function startOurs(
  dataDir: string,
  databaseUrl: string,
  count: number,
  settings: Record<string, string> = {},
): Promise<Ours> {
  const port = await freePort();
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MQTT_PORT: String(port), ...settings };
  const server = await startMooring(env);
  const owner = await newcomer(server.url, 'gateway@example.com');
  const { id: projectId } = await owner.client.call(createProject, { body: { name: 'Gateway' } });
  await owner.client.call(createDeviceClass, { params: { projectId }, body: { id: 'load' } });
  const db = openDatabase(databaseUrl, { max: 2 });
  const identities = Array.from({ length: count }, (_, i) => ({
    id: newId('dev', Date.now()),
    key: `key-${i}`,
  }));
  await seed(db, projectId, identities);
  return {
    name: 'Mooring',
    port,
    pid: server.child.pid ?? 0,
    url: server.url,
    owner,
    projectId,
    identities,
    db,
    topicOf: id => `d/${id}/events/measured`,
    async stop() {
      await db.end();
      await server.stop();
    },
  };
}

async function seed(db: Database, projectId: string, identities: Identity[]): Promise<void> {
  await db.run(sql`
    with made as (
      insert into devices (project_id, id, device_class, key_hash, key_end, created_at)
      select ${projectId}, id, 'load', hash, 'load', now() from unnest(
        ${identities.map(({ id }) => id)}::text[], ${identities.map(({ key }) => hashKey(key))}::bytea[]) as d (id, hash)
      returning project_id, id, device_class)
    insert into device_presence (project_id, device_id, device_class) select project_id, id, device_class from made`);
  await db.run(sql`analyze devices`);
  await db.run(sql`analyze device_presence`);
}

/** A bare broker on Node, which stores nothing and authenticates nobody. */
export async function startAedes(): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'aedes.ts'), String(port)], {
    stdio: 'inherit',
  });
  return running('aedes, in memory, no key', port, child);
}

/** Debian's broker, without keys and in memory; undefined if it is not installed. */
export async function startMosquitto(dataDir: string): Promise<Running | undefined> {
  if (!existsSync(mosquitto)) return undefined;
  const port = await freePort();
  const config = join(dataDir, 'mosquitto.conf');
  writeFileSync(
    config,
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\nmax_inflight_messages 0\n`,
  );
  const child = spawn(mosquitto, ['-c', config], { stdio: 'ignore' });
  return running('Mosquitto, in memory, no key', port, child);
}

async function running(name: string, port: number, child: ChildProcess): Promise<Running> {
  while (!(await answers(port))) await wait(20);
  return {
    name,
    port,
    pid: child.pid ?? 0,
    topicOf: id => `d/${id}/events/measured`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function answers(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  return new Promise<boolean>(resolve => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
