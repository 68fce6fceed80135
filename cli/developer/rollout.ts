import { setTimeout as pause } from 'node:timers/promises';
import { limitMax } from '#contract/paging.ts';
import { listRollouts, type Rollout, readRollout } from '#contract/rollout.ts';
import { type Call, type Command, exits, Failed, projectOption } from './command.ts';
import { notFound, theProject } from './find.ts';

const lookMs = 5_000;

export const rolloutStatus: Command = {
  name: 'rollout status',
  plain: '[ROLLOUT]',
  count: [0, 1],
  says: 'shows the progress of a rollout; by default, the newest of the project or channel',
  options: [
    projectOption,
    { name: 'class', takes: 'CLASS', says: 'only of this device class' },
    { name: 'channel', takes: 'CHANNEL', says: 'only rollouts of the channel with this name' },
    { name: 'wait', says: 'wait until it is finished; exits with 7 if it pauses or stops' },
  ],
  async run(call) {
    const { client, terminal, words } = call;
    const params = { rolloutId: words.plain[0] ?? (await newest(call)) };
    let rollout = await client.call(readRollout, { params });
    while (words.has('wait') && rollout.state === 'running') {
      terminal.progress(summaryOf(rollout));
      await pause(lookMs);
      rollout = await client.call(readRollout, { params });
    }
    terminal.answer(rollout, linesOfRollout(rollout));
    if (words.has('wait') && rollout.state !== 'finished')
      throw new Failed(
        exits.unfinished,
        'UNFINISHED',
        rollout.pauseCause ?? `The rollout is ${rollout.state}.`,
      );
  },
};

async function newest(call: Call): Promise<string> {
  const { client, words } = call;
  const { id: projectId } = await theProject(call);
  const { items } = await client.call(listRollouts, { query: { projectId, limit: limitMax } });
  const [channel, deviceClass] = [words.value('channel'), words.value('class')];
  const found = items.find(
    one =>
      one.channel.name === (channel ?? one.channel.name) &&
      one.deviceClass === (deviceClass ?? one.deviceClass),
  );
  if (!found) throw notFound('ROLLOUT_NOT_FOUND', 'There is no rollout.');
  return found.id;
}

/** "running, step 2 of 5 (5 %): 12 of 40 updated, 1 failed" */
function summaryOf({ state, step, steps, counts }: Rollout): string {
  const percent = steps[step]?.percent ?? 0;
  return `${state}, step ${step + 1} of ${steps.length} (${percent} %): ${counts.updated} of ${counts.admitted} updated, ${counts.failed} failed`;
}

export function linesOfRollout(rollout: Rollout): string[] {
  const { id, deviceClass, channel, bundle, fromBundle, counts, pauseCause } = rollout;
  const { active, waiting, unable, declined, left } = counts;
  return [
    `${id}: ${deviceClass}, channel ${channel.name}: ${fromBundle?.name ?? 'no bundle'} → ${bundle.name}`,
    `  ${summaryOf(rollout)}`,
    `  ${active} under way, ${waiting} waiting, ${unable} unable, ${declined} declined, ${left} left`,
    ...(pauseCause ? [`  ${pauseCause}`] : []),
  ];
}
