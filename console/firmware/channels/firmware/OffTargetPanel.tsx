import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { Channel } from '#contract/channel.ts';
import { listOffTarget, type OffTarget } from '#contract/channelFirmware.ts';
import { retryDeviceUpdate } from '#contract/deviceFirmware.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './channelBand.module.css';
import { offTargetWords } from './offTargetWords.ts';

interface OffTargetPanelProps {
  channel: Channel;
  /** The number of such devices, which is counted more often than they are listed; undefined: not known yet. */
  count: number | undefined;
}

const shownAtFirst = 5;
const shownMax = 100;

/** The devices that do not run what they should, each with the reason and the one thing to do about it. */
export function OffTargetPanel({ channel, count }: OffTargetPanelProps) {
  const { projectId, id: channelId } = channel;
  const [limit, setLimit] = useState(shownAtFirst);
  const read = useRead(
    listOffTarget,
    { params: { channelId }, query: { limit } },
    { refetchInterval: count !== undefined && count > 0 && pollMs },
  );
  const { refetch } = read;
  const isOld = count !== undefined && read.data !== undefined && count !== read.data.total;
  useEffect(() => {
    if (isOld) void refetch();
  }, [isOld, refetch]);
  const retry = useCall(retryDeviceUpdate, { onDone: () => toast('The device is told to install it again') });
  const mayRetry = useMay(retryDeviceUpdate);
  const { items = [], total = 0 } = read.data ?? {};
  if (read.data && total === 0)
    return (
      <LinePanel title="Off target">
        {channel.bundleId === undefined && channel.rolloutId === undefined
          ? 'Without a bundle, no device is off target.'
          : 'None: every device runs what it should, or is updating.'}
      </LinePanel>
    );
  return (
    <Panel
      title="Off target"
      note={
        read.data && `${countOf(total, 'device')} ${total === 1 ? 'runs' : 'run'} something else, and why`
      }
      flush
    >
      <ReadState
        read={read}
        what="The devices off target"
        skeleton={<Skeleton shape="rows" lines={2} />}
        refetchError
      />
      <FormError error={retry.error} />
      {items.length > 0 && (
        <Table
          label="Devices off target"
          columns={columnsOf(projectId, {
            retry: mayRetry ? deviceId => retry.mutate({ params: { deviceId } }) : undefined,
            pending: retry.isPending ? retry.variables?.params.deviceId : undefined,
          })}
          rows={items}
          rowKey={({ deviceId }) => deviceId}
        />
      )}
      {total > items.length && limit < shownMax && (
        <p className={css.more}>
          <Button variant="quiet" onClick={() => setLimit(shownMax)}>
            Show {total > shownMax ? `the first ${shownMax}` : `all ${numberText(total)}`}
          </Button>
        </p>
      )}
    </Panel>
  );
}

const pollMs = 15_000;

interface Acts {
  retry: ((deviceId: string) => void) | undefined;
  pending: string | undefined;
}

const nameOf = ({ name, tag, deviceId }: OffTarget) => name || tag || deviceId;

const columnsOf = (projectId: string, acts: Acts): readonly Column<OffTarget>[] => [
  {
    id: 'device',
    head: 'Device',
    width: '28%',
    cell: device => (
      <TwoLines
        strong
        main={
          <Link
            to="/projects/$projectId/devices/$deviceId"
            params={{ projectId, deviceId: device.deviceId }}
            dir="auto"
          >
            {nameOf(device)}
          </Link>
        }
        sub={<span dir="auto">{device.name && device.tag ? device.tag : device.deviceId}</span>}
        mono="sub"
      />
    ),
  },
  {
    id: 'reason',
    head: 'Reason',
    cell: device => (
      <span className={css.reason} dir="auto">
        {offTargetWords[device.reason].says(device)}
      </span>
    ),
  },
  {
    id: 'runs',
    head: 'Runs',
    width: '20%',
    cell: ({ runs, components }) => (
      <TwoLines
        main={
          components.map(({ component, version }) => `${component} ${version}`).join(', ') || 'Not reported'
        }
        sub={runs && <span dir="auto">{runs.name}</span>}
        mono="main"
      />
    ),
  },
  {
    id: 'act',
    head: 'What to do',
    hideHead: true,
    align: 'end',
    width: '124px',
    always: true,
    cell: device => <Act projectId={projectId} device={device} acts={acts} />,
  },
];

function Act({ projectId, device, acts }: { projectId: string; device: OffTarget; acts: Acts }) {
  const { deviceId, reason } = device;
  const { act } = offTargetWords[reason];
  const isRetry = act === 'Try again' || act === 'Update now';
  if (isRetry && acts.retry)
    return (
      <Button busy={acts.pending === deviceId} onClick={() => acts.retry?.(deviceId)}>
        {act}
        <span className="visuallyHidden"> {nameOf(device)}</span>
      </Button>
    );
  return (
    <Link
      to="/projects/$projectId/devices/$deviceId"
      params={{ projectId, deviceId }}
      {...(reason !== 'suspended' && { hash: 'why' })}
      className={buttonClass()}
    >
      {isRetry ? 'Open device' : act}
      <span className="visuallyHidden"> {nameOf(device)}</span>
    </Link>
  );
}
