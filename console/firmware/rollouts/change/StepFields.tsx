import { Button, IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { type RolloutStep, stepsMax } from '#contract/rollout.ts';
import css from './change.module.css';

interface TypedStep {
  key: number;
  percent: string;
  byHand: boolean;
}

interface StepFieldsProps {
  value: readonly TypedStep[];
  onChange: (steps: readonly TypedStep[]) => void;
  error: string | undefined;
}

/** The share of the channel at which each step ends, and which steps wait for a person. */
export function StepFields({ value: steps, onChange, error }: StepFieldsProps) {
  const edit = (key: number, change: Partial<TypedStep>) =>
    onChange(steps.map(step => (step.key === key ? { ...step, ...change } : step)));
  const add = () => {
    const key = Math.max(0, ...steps.map(step => step.key)) + 1;
    onChange([...steps.slice(0, -1), { key, percent: '', byHand: false }, ...steps.slice(-1)]);
  };
  return (
    <fieldset className={css.steps}>
      <legend>Steps, in percent of the channel</legend>
      {steps.map(({ key, percent, byHand }, at) => (
        <div key={key} className={css.stepRow}>
          <input
            className={css.percent}
            aria-label={`Step ${at + 1}, percent`}
            aria-invalid={error ? true : undefined}
            inputMode="decimal"
            value={percent}
            onChange={({ target }) => edit(key, { percent: target.value })}
          />
          <label className={css.byHand}>
            <input
              type="checkbox"
              checked={byHand}
              onChange={({ target }) => edit(key, { byHand: target.checked })}
            />
            by hand
          </label>
          <IconButton
            label={`Remove step ${at + 1}`}
            disabled={steps.length === 1}
            onClick={() => onChange(steps.filter(step => step.key !== key))}
          >
            <CloseIcon size={14} />
          </IconButton>
        </div>
      ))}
      {error && (
        <p className={css.error}>
          The steps must rise to 100 %. <code>{error}</code>
        </p>
      )}
      {steps.length < stepsMax && (
        <Button variant="quiet" icon={<PlusIcon />} onClick={add}>
          Add step
        </Button>
      )}
    </fieldset>
  );
}

export function stepsOf(steps: readonly RolloutStep[]): readonly TypedStep[] {
  return steps.map(({ percent, startsBy }, key) => ({
    key,
    percent: String(percent),
    byHand: startsBy === 'hand',
  }));
}

export function stepsFrom(steps: readonly TypedStep[]): RolloutStep[] {
  return steps.map(({ percent, byHand }) => ({
    percent: Number(percent),
    startsBy: byHand ? 'hand' : 'itself',
  }));
}

export function stepFaults({ steps }: { steps: readonly TypedStep[] }): { steps?: string } {
  const shares = steps.map(({ percent }) => (percent.trim() === '' ? Number.NaN : Number(percent)));
  const rises = shares.every((share, at) => share > (shares[at - 1] ?? 0) && share <= 100);
  return rises && shares.at(-1) === 100 ? {} : { steps: 'STEPS_UNFIT' };
}
