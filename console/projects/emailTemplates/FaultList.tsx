import { WarningIcon } from '#console/ui/icons/icon.tsx';
import type { TemplateFault } from '#contract/emailTemplate.ts';
import css from './emailTemplates.module.css';

interface FaultListProps {
  faults: readonly TemplateFault[];
  onGoTo: (fault: TemplateFault) => void;
}

/**
 * Every fault of the draft; each links to its place. The region is always present, so that screen readers announce
 * faults.
 */
export function FaultList({ faults, onGoTo }: FaultListProps) {
  return (
    <section
      className={css.faults}
      aria-label="Errors"
      aria-live="polite"
      data-any={faults.length > 0 || undefined}
    >
      {faults.length > 0 && (
        <>
          <p className={css.faultsHead}>
            <WarningIcon />
            {faults.length === 1 ? '1 error prevents' : `${faults.length} errors prevent`} saving
          </p>
          <ul>
            {faults.map(fault => (
              <li key={`${fault.field} ${fault.line}:${fault.column} ${fault.code}`}>
                <button type="button" className={css.fault} onClick={() => onGoTo(fault)}>
                  <span className={css.place}>
                    {fault.field === 'subject' ? 'Subject' : `Line ${fault.line}`}, {fault.column}
                  </span>
                  <span>
                    {fault.message} <code>{fault.code}</code>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
