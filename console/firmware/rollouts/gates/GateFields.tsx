import { gateWords } from '#console/firmware/rollouts/rolloutWords.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { type RolloutGate, rolloutGates } from '#contract/rollout.ts';
import css from './gates.module.css';

export interface GateValues {
  failurePercent: string;
  gates: RolloutGate[];
}

interface GateFieldsProps {
  form: {
    values: GateValues;
    set: <Name extends keyof GateValues>(name: Name, value: GateValues[Name]) => void;
    field: (name: 'failurePercent') => {
      name: string;
      value: string;
      onChange: (value: string) => void;
      error: string | undefined;
    };
  };
}

/** Which gates may pause a rollout, and from which share of failures on. */
export function GateFields({ form }: GateFieldsProps) {
  const { gates } = form.values;
  const turn = (gate: RolloutGate, isOn: boolean) =>
    form.set('gates', isOn ? [...gates, gate] : gates.filter(one => one !== gate));
  return (
    <>
      <fieldset className={css.checks}>
        <legend>Pauses automatically when</legend>
        {rolloutGates.map(gate => (
          <Checkbox
            key={gate}
            label={gateWords[gate].label}
            hint={gateWords[gate].says}
            checked={gates.includes(gate)}
            onChange={isOn => turn(gate, isOn)}
          />
        ))}
      </fieldset>
      <TextField
        label="Failure threshold, in percent"
        hint="The rollout pauses when the true failure rate is above it with 99 % confidence."
        inputMode="decimal"
        {...form.field('failurePercent')}
      />
    </>
  );
}

/** Between 0.1 and 100. */
export function failureFault(text: string): { failurePercent?: string } {
  const percent = Number(text);
  return text.trim() !== '' && percent >= 0.1 && percent <= 100 ? {} : { failurePercent: 'OUT_OF_RANGE' };
}
