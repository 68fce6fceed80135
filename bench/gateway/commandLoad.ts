import { Pool } from 'undici';
import type { LoadDevice } from './loadDevice.ts';
import { atRate } from './loads.ts';
import type { Ours } from './targets.ts';

/** Times in milliseconds since the call that sends a command. */
export interface CommandTimes {
  /** The call is answered. */
  sent: number;
  /** The device has it. */
  arrived: number;
  /** The device knows that its answer is stored. */
  stored: number;
  /** A second call, which waits for the result, is answered. */
  known: number;
}

/** API call → device → answer known to the caller, at a fixed rate. The devices answer at once. */
export async function commandLoad(
  { owner, url }: Ours,
  devices: readonly LoadDevice[],
  { perS, seconds, warmUpS }: { perS: number; seconds: number; warmUpS: number },
): Promise<CommandTimes[]> {
  const [arrived, stored] = [new Map<string, number>(), new Map<string, number>()];
  for (const device of devices) await answerAll(device, { arrived, stored });
  // A lean client, so that the measuring side costs little compared with what is measured.
  const pool = new Pool(url, { connections: 64 });
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'x-console-guard': '1' };
  async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<Record<string, string>> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await pool.request({
      method,
      path: `/api${path}`,
      headers: { ...headers, ...json },
      body: body ?? null,
    });
    const value = (await answer.body.json()) as Record<string, string>;
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${value.reason}`);
    return value;
  }
  let times: CommandTimes[] = [];
  const one = async (i: number) => {
    const commands = `/devices/${devices[i % devices.length]?.id}/commands`;
    const startedMs = performance.now();
    const { id = '' } = await call('POST', commands, '{"name":"blink"}');
    const sent = performance.now() - startedMs;
    const { stage } = await call('GET', `${commands}/${id}?waitMs=20000`);
    const known = performance.now() - startedMs;
    if (stage !== 'done') throw new Error(`A command is ${stage}.`);
    const at = (when: Map<string, number>) => (when.get(id) ?? performance.now()) - startedMs;
    times.push({ sent, arrived: at(arrived), stored: at(stored), known });
  };
  await atRate(perS, warmUpS, one);
  times = [];
  await atRate(perS, seconds, one);
  await pool.close();
  return times;
}

async function answerAll(
  device: LoadDevice,
  { arrived, stored }: { arrived: Map<string, number>; stored: Map<string, number> },
): Promise<void> {
  await device.subscribe(`d/${device.id}/commands/+`);
  device.onPublish = (topic, payload) => {
    if (!topic.includes('/commands/')) return;
    const { id } = JSON.parse(Buffer.from(payload).toString()) as { id: string };
    arrived.set(id, performance.now());
    void device
      .publish(`d/${device.id}/results/${id}`, Buffer.from('{"ok":true}'))
      .then(() => stored.set(id, performance.now()));
  };
}
