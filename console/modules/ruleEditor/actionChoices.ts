import { valueName } from '#console/modules/sentence/words.ts';
import { BellIcon, BoltIcon, CodeIcon, EditIcon } from '#console/ui/icons/icons.tsx';
import type { RuleName } from '#contract/ruleReplay.ts';
import type { Choice, Choices } from './Choice.ts';
import type { RuleSentence } from './useRuleSentence.ts';

const settableMax = 12;

/** What the rule can do; each choice adds an action whose form then opens. */
export function actionChoices({ names, sentence, actions, setActions }: RuleSentence): Choices {
  const add = (id: string, label: string, action: object, more: Omit<Choice, 'id' | 'label' | 'take'>) => ({
    id,
    label,
    ...more,
    take: () => setActions([...actions, action]),
  });
  const onDevice = 'On the device';
  const people = 'To people and servers';
  return {
    prompt: 'What should it do?',
    list: [
      ...(names?.commands ?? []).map(name =>
        add(
          `command ${name}`,
          `Send ${name}`,
          { kind: 'command', name, args: {} },
          {
            note: 'command',
            group: onDevice,
            icon: BoltIcon,
          },
        ),
      ),
      ...settable(names?.properties ?? []).map(named => {
        const name = valueName(named.path);
        const action = { kind: 'desired', patch: { [name]: firstValue(named) } };
        return add(`set ${name}`, `Set ${name}`, action, {
          note: 'desired state',
          group: onDevice,
          icon: EditIcon,
        });
      }),
      add(
        'command',
        'Send another command',
        { kind: 'command', name: '', args: {} },
        { group: onDevice, icon: BoltIcon },
      ),
      add(
        'desired',
        'Set the desired state',
        { kind: 'desired', patch: {} },
        { group: onDevice, icon: EditIcon },
      ),
      ...(['warning', 'critical', 'info'] as const).map(severity =>
        add(`alert ${severity}`, alertLabels[severity], anAlert(severity, sentence.tests[0]?.left), {
          note: 'resolves itself when this is no longer true',
          group: people,
          icon: BellIcon,
        }),
      ),
      add(
        'email',
        'E-mail the team',
        { kind: 'email', to: 'team', addresses: [], ...aMail(sentence.tests[0]?.left) },
        {
          note: 'or members of the home',
          group: people,
          icon: BellIcon,
        },
      ),
      add(
        'webhook',
        'Call a webhook',
        { kind: 'webhook', url: '' },
        { note: 'signed', group: people, icon: CodeIcon },
      ),
    ],
  };
}

const alertLabels = {
  warning: 'Raise a warning',
  critical: 'Raise a critical alert',
  info: 'Raise a notice',
} as const;

/** The value that is compared belongs into the text. */
function anAlert(severity: string, left: string | undefined) {
  const text = left?.startsWith('state.') ? `${valueName(left)} is {{ ${left} }}` : '';
  return { kind: 'alert', severity, text, key: '', resolves: true };
}

const aMail = (left: string | undefined) => ({
  subject: '{{ device.name }}',
  text: left?.startsWith('state.') ? `{{ device.name }}: ${valueName(left)} is {{ ${left} }}` : '',
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
