import { useOrigin } from '#console/apps/useOrigin.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import { type Key, keyPrefix } from '#contract/key.ts';
import { PreviousSecret } from './PreviousSecret.tsx';
import css from './secret.module.css';

/** The secret, of which only the last characters are shown, and the previous one while it still works. */
export function SecretPanel({ keyRow }: { keyRow: Key }) {
  const { secretEnd, secretCreatedAt, previousSecret: previous } = keyRow;
  const { origin } = useOrigin();
  const isOn = useNow() < (previous ? Date.parse(previous.until) : 0);
  return (
    <Panel
      title="Secret"
      action={
        <a href="/docs/service" target="_blank" rel="noopener" className={buttonClass('quiet')}>
          Reference
        </a>
      }
    >
      <div className={css.secret}>
        <Facts
          facts={[
            ['Current', <Masked key="current" end={secretEnd} />],
            ['Created', <TimeAgo key="created" time={secretCreatedAt} />],
            ...(origin === undefined ? [] : [addressFact(origin)]),
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

/** The address that the back end calls. */
function addressFact(origin: string) {
  const address = `${origin}/service/v1`;
  return ['Address', <CopyText key="address" text={address} wrap label="Copy address" />] as const;
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
