import { type TopicName, topics } from '#contract/deviceProtocol.ts';
import { isTopicFilter } from '#mqtt/mqttTopic.ts';

type Up = { [N in TopicName]: (typeof topics)[N]['way'] extends 'up' ? N : never }[TopicName];
type Retained = {
  [N in TopicName]: (typeof topics)[N] extends { retained: true } ? N : never;
}[TopicName];

export type UpName = Up;
export type RetainedName = Retained;

/** A parsed topic: its name, and the value of its placeholder, if any. */
export interface UpTopic {
  name: UpName;
  value: string;
}

const all = Object.entries(topics) as [TopicName, (typeof topics)[TopicName]][];
const ups = all
  .filter(([, { way }]) => way === 'up')
  .map(([name, { pattern }]) => ({ name: name as UpName, levels: pattern.split('/') }));

/** Topics whose current value is sent right after a subscription (retained). */
export const retainedNames = all
  .filter(([, topic]) => 'retained' in topic && topic.retained)
  .map(([name]) => name as RetainedName);

export const prefixOf = (deviceId: string) => `d/${deviceId}/`;

/** Limits for ids and names, so that an overlong or deep topic costs no more than a normal one. */
const topicMax = { length: 256, levels: 8 };

/** Matches a topic against the table; undefined if devices cannot publish to it. `topic` has no prefix. */
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

/** Whether the filter can match only topics of this device. */
export function maySubscribe(deviceId: string, filter: string): boolean {
  if (filter.length > topicMax.length || !filter.startsWith(prefixOf(deviceId))) return false;
  return filter.split('/', topicMax.levels + 1).length <= topicMax.levels && isTopicFilter(filter);
}
