import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import type { Explanation } from '#contract/moduleRun.ts';
import css from './why.module.css';

/** The steps with their values; the first one that is not met decides. */
export function ExplanationSteps({ steps }: Pick<Explanation, 'steps'>) {
  const deciding = steps.findIndex(({ isOk }) => !isOk);
  return (
    <ol className={css.steps}>
      {steps.map(({ isOk, what, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified by position
        <li key={at} data-ok={isOk || undefined} data-deciding={at === deciding || undefined}>
          {isSentence(what) ? <b>{what}</b> : <code>{what}</code>}
          <span>
            {value !== undefined && (isSentence(value) ? <span>{value}</span> : <code>{value}</code>)}
            {isOk ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
            <span className="visuallyHidden">{isOk ? 'passed' : 'not passed'}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** A step of the platform is a sentence; a part of a condition is code. */
export const isSentence = (what: string) => /^[A-Z][a-z]* [a-z]/.test(what);

/** Whether the module acted on the event; a condition can be true without that, if it was true before. */
export function verdictText({ hit, steps }: Pick<Explanation, 'hit' | 'steps'>): string {
  if (hit) return 'Condition true.';
  const deciding = steps.find(({ isOk }) => !isOk);
  return deciding && !isSentence(deciding.what) ? 'Condition false.' : 'No action.';
}
