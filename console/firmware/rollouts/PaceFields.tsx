import { TextField } from '#console/ui/form/TextField.tsx';
import type { Rollout } from '#contract/rollout.ts';

export interface PaceValues {
  rate: string;
  soakMin: string;
  delayMin: string;
}

interface PaceFieldsProps {
  form: {
    field: (name: keyof PaceValues) => {
      name: string;
      value: string;
      onChange: (value: string) => void;
      error: string | undefined;
    };
  };
}

export function PaceFields({ form }: PaceFieldsProps) {
  return (
    <>
      <TextField
        label="Devices per minute"
        hint="Leave it empty for no limit."
        inputMode="numeric"
        {...form.field('rate')}
      />
      <TextField
        label="Soak, in minutes"
        hint="How long a settled step is watched before the next begins, at most 30 days."
        inputMode="numeric"
        {...form.field('soakMin')}
      />
      <TextField
        label="Random delay, in minutes"
        hint="Each device waits a random time up to this, at most one day."
        inputMode="numeric"
        {...form.field('delayMin')}
      />
    </>
  );
}

export function paceOf({ rate, soakS, delayS }: Pick<Rollout, 'rate' | 'soakS' | 'delayS'>): PaceValues {
  return {
    rate: rate === null ? '' : String(rate),
    soakMin: String(soakS / 60),
    delayMin: String(delayS / 60),
  };
}

export function paceFrom({
  rate,
  soakMin,
  delayMin,
}: PaceValues): Pick<Rollout, 'rate' | 'soakS' | 'delayS'> {
  return {
    rate: rate.trim() === '' ? null : Number(rate),
    soakS: Math.round(Number(soakMin) * 60),
    delayS: Math.round(Number(delayMin) * 60),
  };
}

export function paceFaults({ rate, soakMin, delayMin }: PaceValues): Partial<PaceValues> {
  const isWithin = (text: string, min: number, max: number) =>
    text.trim() !== '' && Number(text) >= min && Number(text) <= max;
  const isRate = rate.trim() === '' || (Number.isInteger(Number(rate)) && isWithin(rate, 1, 100_000));
  return {
    ...(!isRate && { rate: 'OUT_OF_RANGE' }),
    ...(!isWithin(soakMin, 0, 30 * 1440) && { soakMin: 'OUT_OF_RANGE' }),
    ...(!isWithin(delayMin, 0, 1440) && { delayMin: 'OUT_OF_RANGE' }),
  };
}
