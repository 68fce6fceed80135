import { readCommand, sendCommand } from '#contract/command.ts';
import type { LoadDevice } from './loadDevice.ts';
import { atRate } from './loads.ts';
import type { Ours } from './targets.ts';

/** API call → device → its answer is known to who called, at a rate. The devices answer at once. */
export async function commandLoad(
  { owner }: Ours,
  devices: readonly LoadDevice[],
  { perS, seconds }: { perS: number; seconds: number },
): Promise<{ p50: number; p99: number }> {
  for (const device of devices) {
    await device.subscribe(`d/${device.id}/commands/+`);
    device.onPublish = (topic, payload) => {
      if (!topic.includes('/commands/')) return;
      const { id } = JSON.parse(Buffer.from(payload).toString()) as { id: string };
      void device.publish(`d/${device.id}/results/${id}`, Buffer.from('{"ok":true}'));
    };
  }
  return atRate(perS, seconds, async i => {
    const deviceId = devices[i % devices.length]?.id ?? '';
    const { id: commandId } = await owner.client.call(sendCommand, {
      params: { deviceId },
      body: { name: 'blink' },
    });
    const done = await owner.client.call(readCommand, {
      params: { deviceId, commandId },
      query: { waitMs: 20_000 },
    });
    if (done.stage !== 'done') throw new Error(`A command is ${done.stage}.`);
  });
}
