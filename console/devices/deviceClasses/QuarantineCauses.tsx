import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import { listQuarantineCauses } from '#contract/quarantine.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './deviceClasses.module.css';

const shownMax = 5;

/** The faults of the messages in quarantine, the most frequent first. */
export function QuarantineCauses({ deviceClass }: { deviceClass: DeviceClass }) {
  const { projectId, id, quarantineCount } = deviceClass;
  const [{ quarantine, device }, change] = useUrlState();
  const read = useRead(listQuarantineCauses, classInput(projectId, id), { enabled: quarantineCount > 0 });
  const isOpen = quarantine === 'all' || device !== undefined;
  if (quarantineCount === 0)
    return <LinePanel title="Quarantine">Every message matches its schema.</LinePanel>;
  const causes = read.data ?? [];
  return (
    <Panel
      title="Quarantine"
      note={numberText(quarantineCount)}
      action={
        !isOpen && (
          <Button variant="quiet" onClick={() => change({ quarantine: 'all' }, { replace: true })}>
            Show messages
          </Button>
        )
      }
    >
      <ReadState read={read} what="The quarantine" skeleton={<Skeleton lines={3} />} />
      <ul className={css.causes}>
        {causes.slice(0, shownMax).map(({ kind, name, fault, messages, devices }) => (
          <li key={`${kind} ${name} ${fault.at} ${fault.text}`}>
            <span>
              {kind === 'event' && (
                <>
                  event <code>{name}</code>:{' '}
                </>
              )}
              {fault.text.replace(/\.$/, '')}
              <span className={css.quiet}>{devices === 1 ? ', 1 device' : `, ${devices} devices`}</span>
            </span>
            <b>{numberText(messages)}</b>
          </li>
        ))}
      </ul>
      {causes.length > shownMax && <p className={css.small}>{causes.length - shownMax} more causes</p>}
      <p className={css.small}>Kept for 30 days. These messages had no effect.</p>
    </Panel>
  );
}
