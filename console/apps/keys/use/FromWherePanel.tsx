import css from '#console/apps/keys/keys.module.css';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { KeyUse } from '#contract/key.ts';
import { numberText } from '#rules/text/numberText.ts';

/** The addresses that calls came from, the most frequent first. */
export function FromWherePanel({ addresses }: Pick<KeyUse, 'addresses'>) {
  if (addresses.length === 0)
    return <LinePanel title="Source addresses">The addresses that use this key appear here.</LinePanel>;
  const total = addresses.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Panel title="Source addresses" note="30 days">
      <ul className={css.from}>
        {addresses.map(({ address, calls }) => (
          <li key={address}>
            <code className={css.small}>{address}</code>
            <code className={css.small}>{numberText(calls)}</code>
            <span className={css.share} aria-hidden="true">
              <span style={{ width: `max(${((calls / total) * 100).toFixed(2)}%, 6px)` }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
