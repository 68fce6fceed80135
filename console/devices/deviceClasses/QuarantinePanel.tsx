import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Pager } from '#console/ui/list/Pager.tsx';
import { useListState } from '#console/ui/list/useListState.ts';
import lines from '#console/ui/logs/Lines.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import { clearQuarantine, listQuarantine, type QuarantinedMessage } from '#contract/quarantine.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './deviceClasses.module.css';

const pageSize = 10;

/** Messages of devices that violated a schema, with the exact faults: stored, but not processed. */
export function QuarantinePanel({ deviceClass }: { deviceClass: DeviceClass }) {
  const { projectId, id: classId, quarantineCount } = deviceClass;
  const [{ device: deviceId }, change] = useUrlState();
  const list = useListState(listQuarantine.list, [], { sizeDefault: pageSize });
  const [emptying, setEmptying] = useState(false);
  const { params } = classInput(projectId, classId);
  const query = { projectId, ...list.page, ...(deviceId && { deviceId }) };
  const read = useRead(listQuarantine, { params, query });
  const { data, isPlaceholderData } = read;
  const mayEmpty = useMay(clearQuarantine);
  return (
    <Panel
      title="Quarantined messages"
      note={numberText(quarantineCount)}
      flush
      action={
        mayEmpty &&
        quarantineCount > 0 && (
          <Button variant="quiet" onClick={() => setEmptying(true)}>
            Clear quarantine
          </Button>
        )
      }
    >
      {deviceId && (
        <p className={css.only}>
          Only from <code>{deviceId}</code>
          <Button variant="quiet" onClick={() => change({ device: undefined, page: undefined })}>
            Show all
          </Button>
        </p>
      )}
      <ReadState read={read} what="The quarantine" skeleton={<Skeleton shape="rows" lines={3} />} />
      {data?.items.length === 0 && (
        <EmptyState title="The quarantine is empty">Every message matches its schema.</EmptyState>
      )}
      <ol className={css.messages}>
        {data?.items.map(message => (
          <Message key={message.id} projectId={projectId} message={message} />
        ))}
      </ol>
      {data && data.total > pageSize && <Pager page={data} list={list} isCurrent={!isPlaceholderData} />}
      {emptying && <EmptyQuarantine deviceClass={deviceClass} onClose={() => setEmptying(false)} />}
    </Panel>
  );
}

function EmptyQuarantine({ deviceClass, onClose }: { deviceClass: DeviceClass; onClose: () => void }) {
  const { projectId, id: classId } = deviceClass;
  const empty = useCall(clearQuarantine, { onDone: () => toast('Quarantine cleared') });
  return (
    <Confirm
      title="Clear the quarantine?"
      verb="Clear quarantine"
      onConfirm={() => empty.mutateAsync(classInput(projectId, classId))}
      onClose={onClose}
    >
      <p>
        The messages and their errors are deleted permanently. They were never processed and never will be.
      </p>
    </Confirm>
  );
}

function Message({ projectId, message }: { projectId: string; message: QuarantinedMessage }) {
  const { ts, deviceId, kind, name, faults, payload } = message;
  return (
    <li>
      <details className={lines.fold}>
        <summary className={css.message}>
          <span className={css.quiet}>
            <TimeAgo time={ts} />
          </span>
          <span>
            {kind === 'event' ? (
              <>
                event <code>{name}</code>
              </>
            ) : (
              'state'
            )}
          </span>
          <span className={css.faults}>
            {faults.map(({ at, text }) => (
              <span key={`${at} ${text}`}>
                <code>{at || '/'}</code> {text}
              </span>
            ))}
          </span>
        </summary>
        <div className={css.payload}>
          <p className={css.quiet}>
            Sent by{' '}
            <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }}>
              {deviceId}
            </Link>
          </p>
          <pre>{textOfJson(payload)}</pre>
        </div>
      </details>
    </li>
  );
}
