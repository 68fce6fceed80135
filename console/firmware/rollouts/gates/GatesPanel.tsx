import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { gateSentence } from '#console/firmware/rollouts/failureWords.ts';
import { gateWords, percentText } from '#console/firmware/rollouts/rolloutWords.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Panel, PanelFooter, panelForm } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import { editRollout, type Rollout, type RolloutGate, unfinished } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { gateResultsMin, stalledPercent } from '#rules/firmware/gateLimits.ts';
import { failureFault, GateFields } from './GateFields.tsx';
import { GateScale } from './GateScale.tsx';
import css from './gates.module.css';
import { gatesNote } from './gatesNote.ts';

interface GatesPanelProps {
  rollout: Rollout;
  read: ReadStateProps['read'] & { data: RolloutReport | undefined };
}

/** What pauses the rollout automatically, and how close it is to that. */
export function GatesPanel({ rollout, read }: GatesPanelProps) {
  const mayEdit = useMay(editRollout);
  const { data } = read;
  const isOpen = unfinished.includes(rollout.state);
  return (
    <Panel
      title="Gates"
      note={data && gatesNote(rollout, data)}
      locked={!mayEdit || !isOpen}
      edit={done => <EditGates rollout={rollout} done={done} />}
      flush
    >
      <ReadState read={read} what="The gates" skeleton={<Skeleton lines={5} />} />
      {data && <Gates rollout={rollout} report={data} />}
    </Panel>
  );
}

function Gates({ rollout: { gates }, report }: { rollout: Rollout; report: RolloutReport }) {
  const { failures } = report;
  return (
    <>
      <div className={css.padded}>
        <h3 className={css.gateName}>Failures</h3>
        {gates.includes('failures') ? (
          <>
            {failures.results >= gateResultsMin && <GateScale {...failures} />}
            <p className={css.gateText}>{gateSentence(failures, gateResultsMin)}</p>
            <p className={css.small}>99 % confidence, from five results on</p>
          </>
        ) : (
          <p className={css.gateText}>Off: failures do not pause this rollout.</p>
        )}
      </div>
      <ul className={css.gates}>
        {others.map(gate => {
          const { tone, text } = gates.includes(gate) ? standing[gate](report) : off;
          return (
            <li key={gate}>
              <Dot tone={tone} />
              <b>{gateWords[gate].label}</b>
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const others = ['presence', 'reboots', 'stalled'] as const;

interface Standing {
  tone: Tone;
  text: string;
}

const off: Standing = { tone: 'never', text: 'off' };
const tooFew: Standing = { tone: 'off', text: 'Too early to tell' };
/** An open gate lets the rollout through. */
const toneOf = (isOpen: boolean): Tone => (isOpen ? 'ok' : 'danger');

const standing: Record<Exclude<RolloutGate, 'failures'>, (report: RolloutReport) => Standing> = {
  presence({ presence }) {
    if (!presence) return tooFew;
    const text = `${percentText(presence.updated)} disconnected, the others ${percentText(presence.others)}`;
    return { tone: toneOf(presence.isOpen), text };
  },
  reboots({ reboots }) {
    if (!reboots) return tooFew;
    const text = `${percentText(reboots.updated)} reconnected, the others ${percentText(reboots.others)}`;
    return { tone: toneOf(reboots.isOpen), text };
  },
  stalled({ stalled }) {
    if (!stalled) return tooFew;
    const text = `${percentText(stalled.percent)} for 1 h, pauses at ${stalledPercent} %`;
    return { tone: toneOf(stalled.isOpen), text };
  },
};

function EditGates({ rollout, done }: { rollout: Rollout; done: () => void }) {
  const { id: rolloutId, failurePercent, gates, revision } = rollout;
  const save = useCall(editRollout);
  const form = useForm({
    initial: { failurePercent: String(failurePercent), gates },
    check: values => failureFault(values.failurePercent),
    async submit(values) {
      const body = { failurePercent: Number(values.failurePercent), gates: values.gates };
      await save.mutateAsync({ params: { rolloutId }, body, ifMatch: revision });
      toast('Gates saved');
      done();
    },
  });
  return (
    <form className={panelForm} onSubmit={form.onSubmit} noValidate>
      <FormError error={form.error} />
      <GateFields form={form} />
      <PanelFooter saving={form.saving} onCancel={done} />
    </form>
  );
}
