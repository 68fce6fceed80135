import { countOf } from '#console/firmware/firmwareWords.ts';
import { PaceFields, paceFaults } from '#console/firmware/rollouts/PaceFields.tsx';
import { stepText } from '#console/firmware/rollouts/rolloutWords.ts';
import { useForm } from '#console/ui/form/useForm.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import { Panel, PanelFooter, panelForm } from '#console/ui/screen/Panel.tsx';
import { secondsText } from '#console/ui/time/secondsText.ts';
import type { Channel, ChannelImpact } from '#contract/channel.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ChosenDevices } from './ChosenDevices.tsx';
import css from './change.module.css';
import { StepFields, stepFaults, stepsFrom, stepsOf } from './StepFields.tsx';
import type { Change, How } from './useChange.ts';

interface HowPanelProps {
  change: Change;
  impact: ChannelImpact | undefined;
  channel: Channel;
}

/** The choice between steps, chosen devices first, and all at once. */
export function HowPanel({ change, impact, channel }: HowPanelProps) {
  const { how, setHow, settings, devices, setDevices } = change;
  const touched = impact && impact.up + (change.leavesOut ? 0 : impact.down);
  const soak = secondsText(settings.soakS ?? 0);
  const pace = settings.rate ? `at most ${numberText(settings.rate)} devices per minute` : 'no rate limit';
  return (
    <Panel
      title="How"
      locked={how === 'now'}
      editLabel="Edit steps"
      edit={done => <EditSteps change={change} done={done} />}
    >
      <div className={css.how}>
        <Choices<How>
          label="How the devices get it"
          value={how}
          onChange={setHow}
          choices={[
            {
              value: 'steps',
              label: 'In steps',
              hint: `${change.steps.map(({ percent }) => stepText(percent)).join(', ')}. Soak of ${soak} each, ${pace}.${byHand(change)}`,
            },
            {
              value: 'chosen',
              label: 'Chosen devices first',
              hint: 'Your own list, then in steps.',
            },
            {
              value: 'now',
              label: 'All at once',
              hint:
                touched === undefined
                  ? 'No steps, no gates.'
                  : `${countOf(touched, 'device')}, without steps and without gates.`,
            },
          ]}
        />
        {how === 'chosen' && <ChosenDevices channel={channel} chosen={devices} onChange={setDevices} />}
      </div>
    </Panel>
  );
}

function byHand({ steps }: Change): string {
  const held = steps.filter(({ startsBy }) => startsBy === 'hand');
  if (held.length === 0) return '';
  return held.length === 1 && held[0] === steps.at(-1)
    ? ' The last one by hand.'
    : ` ${held.length} by hand.`;
}

function EditSteps({ change, done }: { change: Change; done: () => void }) {
  const form = useForm({
    initial: { steps: stepsOf(change.steps), ...change.pace },
    check: values => ({ ...paceFaults(values), ...stepFaults(values) }),
    async submit({ steps, ...pace }) {
      change.setSteps(stepsFrom(steps));
      change.setPace(pace);
      done();
    },
  });
  return (
    <form className={panelForm} onSubmit={form.onSubmit} noValidate>
      <StepFields {...form.field('steps')} />
      <PaceFields form={form} />
      <PanelFooter saving={false} verb="Use these steps" onCancel={done} />
    </form>
  );
}
