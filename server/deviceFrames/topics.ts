import { type TopicName, topics } from '#contract/deviceProtocol.ts';
import { isTopicFilter } from '#mqtt/mqttTopic.ts';

type Up = { [N in TopicName]: (typeof topics)[N]['way'] extends 'up' ? N : never }[TopicName];
type Retained = {
  [N in TopicName]: (typeof topics)[N] extends { retained: true } ? N : never;
}[TopicName];

export type UpName = Up;
export type RetainedName = Retained;

/** What a message is about: the topic's name, and what stands in its pattern's place, if anything. */
export interface UpTopic {
  name: UpName;
  value: string;
}

const all = Object.entries(topics) as [TopicName, (typeof topics)[TopicName]][];
const ups = all
  .filter(([, { way }]) => way === 'up')
  .map(([name, { pattern }]) => ({ name: name as UpName, levels: pattern.split('/') }));

/** Topics whose present value comes right after a subscription. */
export const retainedNames = all
  .filter(([, topic]) => 'retained' in topic && topic.retained)
  .map(([name]) => name as RetainedName);

export const prefixOf = (deviceId: string) => `d/${deviceId}/`;

/** Ids and names are bounded: no topic is longer or deeper, and who writes one that is shall cost no more than others. */
const topicMax = { length: 256, levels: 8 };

/** Which topic of the table it is; undefined when a device may send nothing there. `topic` is without the prefix. */
export function upTopic(topic: string): UpTopic | undefined {
  if (topic.length > topicMax.length) return undefined;
  const levels = topic.split('/');
  for (const { name, levels: wanted } of ups) {
    if (wanted.length !== levels.length) continue;
    if (!wanted.every((level, at) => (level.startsWith(':') ? levels[at] !== '' : level === levels[at])))
      continue;
    return { name, value: levels[wanted.findIndex(level => level.startsWith(':'))] ?? '' };
  }
  return undefined;
}

/** Whether all that the filter can match is the device's own. */
export function maySubscribe(deviceId: string, filter: string): boolean {
  if (filter.length > topicMax.length || !filter.startsWith(prefixOf(deviceId))) return false;
  return filter.split('/', topicMax.levels + 1).length <= topicMax.levels && isTopicFilter(filter);
}
