import type { Bundle } from '#contract/bundle.ts';
import {
  type Channel,
  type ChannelImpact,
  createChannel,
  defaultChannel,
  editChannel,
  readChannelImpact,
} from '#contract/channel.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { createRollout } from '#contract/rollout.ts';
import { type Call, type Command, exits, Failed, numberOf, projectOption, UsageFault } from './command.ts';
import { findBundle, findChannel, notFound, type OfClass, theProject } from './find.ts';
import { linesOfRollout } from './rollout.ts';

export const channelSet: Command = {
  name: 'channel set',
  plain: 'CHANNEL',
  count: [1, 1],
  says: 'assigns a bundle to a channel, immediately or with a rollout, after showing the effect',
  options: [
    projectOption,
    { name: 'class', takes: 'CLASS', says: 'the device class', needed: true },
    { name: 'bundle', takes: 'BUNDLE', says: 'name or id of the bundle', needed: true },
    {
      name: 'rollout',
      takes: 'STEPS',
      says: 'roll out in steps: "default", or percentages such as 1,5,25,100',
    },
    { name: 'rate', takes: 'N', says: 'devices per minute, for a rollout' },
    { name: 'end-rollout', says: 'stop the unfinished rollout of the channel first' },
    { name: 'yes', says: 'do not ask for confirmation' },
  ],
  async run(call) {
    const { words, client, terminal } = call;
    const steps = stepsOf(words.value('rollout'));
    const rate = numberOf(words, 'rate');
    if (!steps && rate !== undefined) throw new UsageFault('--rate requires --rollout.');
    if (steps && words.has('end-rollout'))
      throw new UsageFault('--end-rollout cannot be combined with --rollout.');
    const { channel, bundle } = await theTwo(call);
    const impact = await client.call(readChannelImpact, {
      params: { channelId: channel.id },
      query: { bundleId: bundle.id },
    });
    if (channel.bundleId === bundle.id) {
      terminal.answer(channel, [`Channel ${channel.name} already has ${bundle.name}.`]);
      return;
    }
    for (const line of impactLines(channel, bundle, impact)) terminal.say(line);
    await confirmed(call, steps ? 'Start the rollout?' : 'Offer it to all of them at once?');
    if (steps) await startRollout(call, { channel, bundle, steps, rate });
    else await setBundle(call, channel, bundle);
  },
};

async function theTwo(call: Call): Promise<{ channel: Channel; bundle: Bundle }> {
  const { words } = call;
  const deviceClass = words.must('class');
  const of = { projectId: (await theProject(call)).id, deviceClass };
  const bundle = await findBundle(call, of, words.must('bundle'));
  if (!bundle)
    throw notFound('BUNDLE_NOT_FOUND', `Class ${deviceClass} has no bundle ${words.must('bundle')}.`);
  const name = words.plain[0] ?? '';
  const channel = (await findChannel(call, of, name)) ?? (await createStable(call, of, name));
  return { channel, bundle };
}

/** Creates the default channel, which need not exist yet. Without a bundle, this changes nothing for devices. */
async function createStable({ client, terminal }: Call, of: OfClass, name: string): Promise<Channel> {
  if (name !== defaultChannel)
    throw notFound('CHANNEL_NOT_FOUND', `Class ${of.deviceClass} has no channel ${name}. Create it first.`);
  terminal.say(`Creating channel ${name}.`);
  return client.call(createChannel, { body: of });
}

async function setBundle({ client, terminal, words }: Call, channel: Channel, bundle: Bundle): Promise<void> {
  const endsRollout = words.has('end-rollout');
  const changed = await client.call(editChannel, {
    params: { channelId: channel.id },
    body: { bundleId: bundle.id, ...(endsRollout && { endRollout: true }) },
    ifMatch: channel.revision,
  });
  terminal.answer(changed, [`Channel ${channel.name} now has ${bundle.name}.`]);
}

type Steps = NonNullable<BodyOf<typeof createRollout>['steps']> | 'default';

async function startRollout(
  { client, terminal }: Call,
  {
    channel,
    bundle,
    steps,
    rate,
  }: { channel: Channel; bundle: Bundle; steps: Steps; rate: number | undefined },
): Promise<void> {
  const body = {
    channelId: channel.id,
    bundleId: bundle.id,
    start: true,
    ...(steps !== 'default' && { steps }),
    ...(rate !== undefined && { rate }),
  };
  const rollout = await client.call(createRollout, { body });
  terminal.answer(rollout, [`Rollout ${rollout.id} started.`, ...linesOfRollout(rollout)]);
}

/** Parses `1,5,25,100`; undefined: no rollout. */
function stepsOf(text: string | undefined): Steps | undefined {
  if (text === undefined || text === 'default') return text;
  const percents = text.split(',').map(Number);
  const rise = percents.every((percent, at) => percent > (percents[at - 1] ?? 0));
  if (!rise || percents.at(-1) !== 100)
    throw new UsageFault(`--rollout must be "default", or percentages that increase to 100, not ${text}.`);
  return percents.map(percent => ({ percent, startsBy: 'itself' as const }));
}

async function confirmed({ words, terminal }: Call, question: string): Promise<void> {
  if (words.has('yes')) return;
  if (!terminal.isWatched)
    throw new Failed(exits.unconfirmed, 'UNCONFIRMED', 'Nothing was changed. Confirm with --yes.');
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new Failed(exits.unconfirmed, 'UNCONFIRMED', 'Nothing was changed.');
}

function impactLines({ name, bundleName }: Channel, bundle: Bundle, impact: ChannelImpact): string[] {
  const { total, up, down, unchanged, notReached, offline, refusesDowngrade, config } = impact;
  const megabytes = impact.components.reduce((sum, part) => sum + part.sizeBytes * part.devices, 0) / 1e6;
  const lines = [
    `Channel ${name}: ${bundleName ?? 'no bundle'} → ${bundle.name}, ${total} ${total === 1 ? 'device' : 'devices'}`,
    `  updated: ${up}; back to an older bundle: ${down}; have it already: ${unchanged}`,
    `  not reached, because pinned or suspended: ${notReached}; offline, to follow on return: ${offline}`,
    `  ${megabytes.toFixed(1)} MB to download in all`,
  ];
  if (refusesDowngrade > 0)
    lines.push(`  refused, because of a higher security version: ${refusesDowngrade}`);
  if (config.violating > 0)
    lines.push(`  with a config that the new versions do not accept: ${config.violating}`);
  return lines;
}
