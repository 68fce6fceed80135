import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo, useNow } from '#console/ui/state/TimeAgo.tsx';
import { type Key, keyPrefix } from '#contract/key.ts';
import { PreviousSecret } from './PreviousSecret.tsx';
import css from './secret.module.css';

/** The secret, of which only the end can be seen, and the one before it while that still works. */
export function SecretPanel({ keyRow }: { keyRow: Key }) {
  const { secretEnd, secretCreatedAt, previousSecret: previous } = keyRow;
  const isOn = useNow() < (previous ? Date.parse(previous.until) : 0);
  return (
    <Panel title="Secret">
      <div className={css.secret}>
        <Facts
          facts={[
            ['Current', <Masked key="current" end={secretEnd} />],
            ['Created', <TimeAgo key="created" time={secretCreatedAt} />],
            ...(previous && isOn
              ? ([['Previous', <Masked key="previous" end={previous.end} />]] as const)
              : []),
          ]}
        />
        {previous && isOn && <PreviousSecret keyRow={keyRow} previous={previous} />}
      </div>
    </Panel>
  );
}

function Masked({ end }: { end: string }) {
  return (
    <code className={css.mask}>
      {keyPrefix}
      <span aria-hidden="true">••••••••••••</span>
      <span className="visuallyHidden"> hidden, ends with </span>
      {end}
    </code>
  );
}
