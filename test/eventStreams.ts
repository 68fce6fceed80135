import { get, type IncomingMessage } from 'node:http';
import type { StreamMessage, streamSignals } from '#contract/appApi/stream.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { inHome } from './homes.ts';
import type { ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';

export interface Heard {
  event: StreamMessage['type'] | (typeof streamSignals)[number];
  id: string | undefined;
  data: Record<string, unknown>;
}

/** A listener on an event stream that records the messages. */
export interface StreamListener extends AsyncDisposable {
  all: Heard[];
  /** The messages about homes and devices, without the stream's own messages. */
  readonly told: Heard['data'][];
  /** The id to resume after. */
  readonly lastId: string | undefined;
  /** Resolves with the first message of which this is true. */
  hear(isIt: (heard: Heard) => boolean): Promise<Heard>;
  ended(): Promise<void>;
  close(): Promise<void>;
}

const ofItself: readonly string[] = ['opened', 'reset', 'lagging', 'ended', 'beat'];

class Memory {
  readonly all: Heard[] = [];
  isEnded = false;

  get told(): Heard['data'][] {
    return this.all.filter(({ event }) => !ofItself.includes(event)).map(({ data }) => data);
  }

  get lastId(): string | undefined {
    return this.all.findLast(({ id }) => id !== undefined)?.id;
  }

  hear(isIt: (heard: Heard) => boolean): Promise<Heard> {
    return until(() => this.all.find(isIt));
  }

  async ended(): Promise<void> {
    await until(() => (this.isEnded ? true : undefined));
  }
}

type Query = Record<string, string | undefined>;

const addressOf = (baseUrl: string, query: Query) => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${baseUrl}/events?${new URLSearchParams(given)}`;
};

interface SignedIn {
  baseUrl: string;
  tokens: { accessToken: string };
}

/** Listens over server-sent events; resolves once the stream is opened. */
export async function listenBySse({ baseUrl, tokens }: SignedIn, query: Query = {}): Promise<StreamListener> {
  const memory = new Memory();
  const answer = await openedBySse({ baseUrl, tokens }, query);
  remember(answer, memory);
  const close = async () => {
    answer.destroy();
    await memory.ended();
  };
  const listener = Object.assign(memory, { close, [Symbol.asyncDispose]: close });
  await listener.hear(({ event }) => event === 'opened');
  return listener;
}

/** The bare stream, for tests that read it slowly or not at all. */
export function openedBySse({ baseUrl, tokens }: SignedIn, query: Query = {}): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${tokens.accessToken}` };
  return new Promise((resolve, reject) => {
    const asked = get(addressOf(baseUrl, query), { headers, agent: false }, answer => {
      if (answer.statusCode === 200) return resolve(answer);
      answer.resume();
      reject(new Error(`The stream was refused with ${answer.statusCode}.`));
    });
    asked.on('error', reject);
  });
}

function remember(answer: IncomingMessage, memory: Memory): void {
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (more: string) => {
    text += more;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) memory.all.push(toHeard(block));
  });
  // Either side may have cut the stream; the messages received so far stay.
  answer.on('error', () => undefined);
  answer.on('close', () => {
    memory.isEnded = true;
  });
}

function toHeard(block: string): Heard {
  const fields = Object.fromEntries(block.split('\n').map(line => line.split(/: (.*)/s)));
  return { event: fields.event, id: fields.id, data: JSON.parse(fields.data) };
}

/** Listens over a WebSocket, as a browser would open it. */
export async function listenByWebSocket(baseUrl: string, query: Query): Promise<StreamListener> {
  const socket = new WebSocket(addressOf(baseUrl.replace(/^http/, 'ws'), query));
  const memory = new Memory();
  socket.onmessage = ({ data }) => {
    memory.all.push(JSON.parse(String(data)));
  };
  socket.onclose = () => {
    memory.isEnded = true;
  };
  const close = async () => {
    socket.close();
    await memory.ended();
  };
  await until(() => (memory.isEnded || memory.all.length > 0 ? true : undefined));
  if (memory.isEnded) throw new Error('The WebSocket was refused.');
  return Object.assign(memory, { close, [Symbol.asyncDispose]: close });
}

interface Person {
  id: string;
}

/**
 * Resolves once a new stream would begin after everything that has happened; a transaction of another database can
 * delay this.
 */
export async function untilPast({ world: { platform } }: ProjectWorld): Promise<void> {
  const now = await platform.db.one<{ tx: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as tx`,
  );
  await until(async () => {
    const row = await platform.db.one<{ isPast: boolean }>(sql`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.tx}::text::xid8 as "isPast"`);
    return row?.isPast || undefined;
  });
}

/** A home of this user, inserted directly into the tables. */
export async function homeOf({ world, projectId }: ProjectWorld, owner: Person): Promise<string> {
  const { db, clock } = world.platform;
  const home = await db.one<{ id: string }>(sql`
    insert into homes (project_id, name, time_zone, active, created_at)
    values (${projectId}, 'Home', 'Europe/Oslo', true, ${clock()}) returning id::text`);
  if (!home) throw new Error('The home was not inserted.');
  await joins({ world, projectId }, home.id, owner, { role: 'owner' });
  return home.id;
}

export async function joins(
  { world, projectId }: Pick<ProjectWorld, 'world' | 'projectId'>,
  homeId: string,
  { id }: Person,
  { role, until = null, devices = [] }: { role: string; until?: Date | null; devices?: readonly Person[] },
): Promise<void> {
  await world.platform.db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, guest_until, joined_at)
    values (${projectId}, ${homeId}, ${id}, ${role}, ${until}, ${world.now()})`);
  await world.platform.db.run(sql`
    insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
    select ${projectId}, ${homeId}, ${id}, device, false from unnest(${devices.map(one => one.id)}::text[]) as device`);
}

export async function aDeviceIn(at: ProjectWorld, homeId: string): Promise<Person> {
  const device = await at.device();
  await inHome(at.world, homeId, [device.id]);
  return device;
}

/** An event of a device, as the gateway stores it. */
export async function happens(
  { world, projectId }: ProjectWorld,
  { id }: Person,
  name: string,
  { db = world.platform.db, payload = {}, ts = world.now() }: { db?: Db; payload?: unknown; ts?: Date } = {},
): Promise<void> {
  await db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    values (${projectId}, ${id}, ${ts}, ${world.platform.newId('evt', ts)}, ${name}, ${JSON.stringify(payload)})`);
}
