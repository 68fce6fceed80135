import { namedAt, valueName } from '#console/modules/sentence/words.ts';
import { BellIcon, BoltIcon, CodeIcon, EditIcon } from '#console/ui/icons/icons.tsx';
import type { RuleName } from '#contract/ruleReplay.ts';
import type { Choice, Choices } from './Choice.ts';
import type { RuleSentence } from './useRuleSentence.ts';

const settableMax = 12;

/** What the rule can do; each choice adds an action whose form then opens. */
export function actionChoices(rule: RuleSentence): Choices {
  return { prompt: 'What should it do?', list: [...onDevice(rule), ...toOthers(rule)] };
}

const adding =
  ({ actions, setActions }: RuleSentence, group: string) =>
  (id: string, label: string, action: object, more: Pick<Choice, 'note' | 'icon'>): Choice => ({
    id,
    label,
    group,
    ...more,
    take: () => setActions([...actions, action]),
  });

function onDevice(rule: RuleSentence): Choice[] {
  const { commands = [], properties = [] } = rule.names ?? {};
  const add = adding(rule, 'On the device');
  const command = (name: string) => ({ kind: 'command', name, args: {} });
  return [
    ...commands.map(name =>
      add(`command ${name}`, `Send ${name}`, command(name), { note: 'command', icon: BoltIcon }),
    ),
    ...settable(properties).map(named => {
      const name = valueName(named.path);
      const action = { kind: 'desired', patch: { [name]: firstValue(named) } };
      return add(`set ${name}`, `Set ${name}`, action, { note: 'desired state', icon: EditIcon });
    }),
    add('command', 'Send another command', command(''), { icon: BoltIcon }),
    add('desired', 'Set the desired state', { kind: 'desired', patch: {} }, { icon: EditIcon }),
  ];
}

function toOthers(rule: RuleSentence): Choice[] {
  const add = adding(rule, 'To people and servers');
  const left = rule.sentence.tests[0]?.left;
  const mail = { kind: 'email', to: 'team', addresses: [], ...aMail(valueText(rule, left)) };
  const resolves = 'resolves itself when this is no longer true';
  return [
    ...(['warning', 'critical', 'info'] as const).map(severity =>
      add(`alert ${severity}`, alertLabels[severity], anAlert(severity, valueText(rule, left)), {
        note: resolves,
        icon: BellIcon,
      }),
    ),
    add('email', 'E-mail the team', mail, { note: 'or members of the home', icon: BellIcon }),
    add('webhook', 'Call a webhook', { kind: 'webhook', url: '' }, { note: 'signed', icon: CodeIcon }),
  ];
}

const alertLabels = {
  warning: 'Raise a warning',
  critical: 'Raise a critical alert',
  info: 'Raise a notice',
} as const;

/** "temperature is {{ state.temperature }} °C": the value that is compared belongs into the text. */
function valueText({ names }: RuleSentence, left: string | undefined): string {
  if (!left?.startsWith('state.')) return '';
  const unit = namedAt(names, left)?.unit;
  return [`${valueName(left)} is {{ ${left} }}`, unit].filter(Boolean).join(' ');
}

function anAlert(severity: string, value: string) {
  const text = value.charAt(0).toUpperCase() + value.slice(1);
  return { kind: 'alert', severity, text, key: '', resolves: true };
}

const aMail = (value: string) => ({
  subject: '{{ device.name }}',
  text: value && `{{ device.name }}: ${value}`,
});

/** Simple values of the first level. */
const settable = (properties: readonly RuleName[]) =>
  properties
    .filter(
      ({ path, type }) => /^state\.\w+$/.test(path) && ['number', 'text', 'true or false'].includes(type),
    )
    .slice(0, settableMax);

function firstValue({ type, minimum, choices }: RuleName): unknown {
  if (type === 'number') return Math.max(0, minimum ?? 0);
  return type === 'text' ? (choices?.[0] ?? '') : true;
}
