import { Button } from '#console/ui/Button.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import type { DeviceClassRevisionRow } from '#contract/deviceClassRevision.ts';
import css from './revisions.module.css';
import { changedText } from './revisionTexts.ts';

interface ChooseRevisionProps {
  label: string;
  /** Undefined while they are loading. */
  revisions: readonly DeviceClassRevisionRow[] | undefined;
  chosen: number;
  /** The current revision of the class. */
  current: number;
  onChoose: (revision: number) => void;
  /** Undefined: the member may not restore. */
  onRestore: (() => void) | undefined;
}

/** One side of a comparison: which revision, saved when and by whom, and what it changed. */
export function ChooseRevision({ label, revisions, chosen, current, ...on }: ChooseRevisionProps) {
  const row = revisions?.find(({ revision }) => revision === chosen);
  const options = (revisions ?? []).map(one => ({
    value: String(one.revision),
    label: optionText(one, current),
  }));
  // An old link may name a revision that is no longer kept.
  const unknown = revisions ? `Revision ${chosen}, not kept` : `Revision ${chosen}`;
  if (!row) options.push({ value: String(chosen), label: unknown });
  return (
    <div className={css.side}>
      <SelectField
        label={label}
        value={String(chosen)}
        options={options}
        onChange={value => on.onChoose(Number(value))}
      />
      <p className={css.said}>{row && changedText(row)}</p>
      {on.onRestore && (row || !revisions) && chosen !== current && (
        <Button onClick={on.onRestore}>Restore revision {chosen}</Button>
      )}
    </div>
  );
}

/** "Revision 7 · current · 24 Nov, 14:03 · Priya Rao" */
function optionText({ revision, savedAt, savedBy }: DeviceClassRevisionRow, current: number): string {
  const parts = [
    `Revision ${revision}`,
    revision === current && 'current',
    savedAt && momentText(savedAt),
    savedBy?.name,
  ];
  return parts.filter(Boolean).join(' · ');
}
