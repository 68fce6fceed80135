import { failureFault, GateFields } from '#console/firmware/rollouts/gates/GateFields.tsx';
import { gateWords } from '#console/firmware/rollouts/rolloutWords.ts';
import { useForm } from '#console/ui/form/useForm.ts';
import { Facts, Panel, PanelFooter, panelForm } from '#console/ui/screen/Panel.tsx';
import { type RolloutGate, rolloutGates } from '#contract/rollout.ts';
import type { Change } from './useChange.ts';

/** What would pause the rollout automatically. */
export function PausesPanel({ change }: { change: Change }) {
  const { gates, failurePercent } = change.gates;
  const says = (gate: RolloutGate) =>
    gate === 'failures' ? `more than ${failurePercent} % fail, beyond chance` : gateWords[gate].says;
  return (
    <Panel title="Pauses automatically when" edit={done => <EditGates change={change} done={done} />}>
      <Facts
        facts={rolloutGates.map(gate => [gateWords[gate].label, gates.includes(gate) ? says(gate) : 'off'])}
      />
    </Panel>
  );
}

function EditGates({ change, done }: { change: Change; done: () => void }) {
  const form = useForm({
    initial: change.gates,
    check: ({ failurePercent }) => failureFault(failurePercent),
    async submit(values) {
      change.setGates(values);
      done();
    },
  });
  return (
    <form className={panelForm} onSubmit={form.onSubmit} noValidate>
      <GateFields form={form} />
      <PanelFooter saving={false} verb="Use these gates" onCancel={done} />
    </form>
  );
}
