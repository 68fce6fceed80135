import type { Sentence, Start } from '#console/modules/sentence/sentence.ts';
import { whoWords } from '#console/modules/sentence/words.ts';
import {
  BellIcon,
  BoltIcon,
  CheckIcon,
  DeviceIcon,
  EditIcon,
  OverviewIcon,
} from '#console/ui/icons/icons.tsx';
import type { RuleNames } from '#contract/ruleReplay.ts';
import { pluralOf } from '#rules/text/nounText.ts';
import type { Choice, Choices } from './Choice.ts';
import { countText } from './countText.ts';
import type { RuleSentence } from './useRuleSentence.ts';

/** The devices that a rule is about. */
export function whoChoices({ names, say }: RuleSentence): Choices {
  const classes = names?.classes ?? [];
  const all = classes.reduce((sum, { devices }) => sum + devices, 0);
  const choice = (label: string, devices: number, chosen: readonly string[]): Choice => ({
    id: label,
    label,
    count: countText(devices, 'device'),
    group: 'Devices',
    icon: DeviceIcon,
    take: () => say({ classes: chosen }),
  });
  return {
    prompt: 'Which devices?',
    list: [
      choice('any device', all, []),
      ...classes.map(({ id, devices }) => choice(whoWords([id]), devices, [id])),
    ],
  };
}

/** What makes the rule look. */
export function startChoices({ names, sentence, say }: RuleSentence): Choices {
  const [only = 'device'] = sentence.classes.length === 1 ? sentence.classes : [];
  const they = pluralOf(only);
  const start = (id: string, label: string, starts: Start, more: Partial<Choice>): Choice => ({
    id,
    label,
    group: `What happens to ${they}`,
    ...more,
    take: () => say(withTests(sentence, starts)),
  });
  const onEvent = (name: string, label: string, more: Partial<Choice>) =>
    start(name, label, { events: [name] }, more);
  const sent = `What ${they} report`;
  return {
    prompt: 'What should start it?',
    list: [
      onEvent('_state_', 'State', {
        note: 'any value it reports changes',
        count: names && countText(names.sampled, 'device'),
        group: sent,
        icon: OverviewIcon,
      }),
      ...ownEvents(names).map(({ name, count }) =>
        onEvent(name, name, {
          note: 'event',
          count: count === undefined ? undefined : `${countText(count)} in 24 h`,
          group: sent,
          icon: BoltIcon,
        }),
      ),
      start(
        'offline',
        'Goes offline',
        { presence: 'offline' },
        { note: 'as long as it is', icon: DeviceIcon },
      ),
      start('online', 'Comes online', { presence: 'online' }, { note: 'as long as it is', icon: CheckIcon }),
      onEvent('_desired_', 'A desired value is set', { note: 'by an app or a person', icon: EditIcon }),
      onEvent('_alert_', 'An alert is raised', { note: 'by it or by a rule', icon: BellIcon }),
      onEvent('_command_', 'A command ends', { note: 'done, failed or expired', icon: BoltIcon }),
      onEvent('_connected_', 'Connects', { note: 'each time', icon: CheckIcon }),
      onEvent('_disconnected_', 'Disconnects', { note: 'each time', icon: DeviceIcon }),
      onEvent('_added_', 'Is added to a home', {}),
      onEvent('_removed_', 'Is removed from its home', {}),
    ],
  };
}

const ownEvents = (names: RuleNames | undefined) =>
  names?.events.filter(({ name }) => !name.startsWith('_')) ?? [];

/** A report of the state is compared with something; an event or a lost connection says enough alone. */
function withTests({ tests }: Sentence, starts: Start): Partial<Sentence> {
  const isState = 'events' in starts && starts.events.includes('_state_');
  // What an event carries is not there when another one starts the rule.
  const kept = tests.filter(({ left }) => left !== undefined && !left.startsWith('event.payload'));
  return { starts, tests: kept.length === 0 && isState ? [{}] : kept };
}
