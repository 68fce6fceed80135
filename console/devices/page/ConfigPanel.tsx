import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/devices/devices.module.css';
import { DeletePair } from '#console/devices/keyValues/DeletePair.tsx';
import { EditPair, NewPair } from '#console/devices/keyValues/PairDialogs.tsx';
import { Button } from '#console/ui/Button.tsx';
import clamp from '#console/ui/Clamp.module.css';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { CallFailed } from '#contract/client.ts';
import type { Device } from '#contract/device.ts';
import {
  type ConfigPair,
  deleteDeviceKvPair,
  listDeviceConfig,
  writeDeviceKvPair,
} from '#contract/deviceState.ts';
import { reasons } from '#contract/problem.ts';
import page from './page.module.css';

type Doing = { what: 'add' } | { what: 'edit' | 'delete' | 'override'; pair: ConfigPair };

/** The config that the device reads: the key-value pairs of its class, overridden by its own. */
export function ConfigPanel({ device }: { device: Device }) {
  const params = { deviceId: device.id };
  const read = useRead(listDeviceConfig, { params });
  const mayEdit = useMay(writeDeviceKvPair);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);

  const menuOf = (pair: ConfigPair): MenuItem[] =>
    pair.from === 'device'
      ? [
          { label: 'Edit', run: () => setDoing({ what: 'edit', pair }) },
          { label: 'Delete', danger: true, run: () => setDoing({ what: 'delete', pair }) },
        ]
      : [{ label: 'Override', run: () => setDoing({ what: 'override', pair }) }];

  const { data } = read;
  return (
    <>
      <ReadState read={read} what="The config" skeleton={<Skeleton lines={2} />} />
      {data && data.length > 0 && (
        <Table
          label="Config"
          columns={columns}
          rows={data}
          rowKey={({ key }) => key}
          {...(mayEdit && { rowMenu: menuOf })}
        />
      )}
      <div className={page.setupFoot}>
        {data?.length === 0 && (
          <p className={css.note}>
            Pairs of the class and of this device appear here. The device receives them on <code>config</code>
            .
          </p>
        )}
        {mayEdit && (
          <Button variant="quiet" icon={<PlusIcon />} onClick={() => setDoing({ what: 'add' })}>
            Create pair
          </Button>
        )}
      </div>
      {doing && <PairDialog doing={doing} device={device} pairs={data} onClose={close} />}
    </>
  );
}

interface PairDialogProps {
  doing: Doing;
  device: Device;
  pairs: readonly ConfigPair[] | undefined;
  onClose: () => void;
}

function PairDialog({ doing, device, pairs, onClose }: PairDialogProps) {
  const params = { deviceId: device.id };
  const write = useCall(writeDeviceKvPair);
  const remove = useCall(deleteDeviceKvPair);

  /** A pair of the class with this key is no obstacle; a pair of the device is. */
  async function add(pairKey: string, value: never, isOver: boolean) {
    const isTaken = pairs?.some(({ key, from }) => key === pairKey && from === 'device');
    if (isTaken && !isOver)
      throw new CallFailed({ reason: 'KEY_TAKEN', message: reasons.KEY_TAKEN[1] }, { status: 409 });
    return write.mutateAsync({ params: { ...params, pairKey }, body: { value } });
  }

  return (
    <>
      {doing.what === 'add' && <NewPair onWrite={add} onClose={onClose} />}
      {doing.what === 'override' && <NewPair start={doing.pair} onWrite={add} onClose={onClose} />}
      {doing.what === 'edit' && (
        <EditPair
          pair={pairs?.find(({ key }) => key === doing.pair.key) ?? doing.pair}
          onWrite={(value, ifMatch) =>
            write.mutateAsync({ params: { ...params, pairKey: doing.pair.key }, body: { value }, ifMatch })
          }
          onClose={onClose}
        />
      )}
      {doing.what === 'delete' && (
        <DeletePair
          pairKey={doing.pair.key}
          onDelete={() => remove.mutateAsync({ params: { ...params, pairKey: doing.pair.key } })}
          onClose={onClose}
        >
          <p>If the class has the same key, that value applies again.</p>
        </DeletePair>
      )}
    </>
  );
}

const columns: readonly Column<ConfigPair>[] = [
  { id: 'key', head: 'Key', width: '34%', cell: ({ key }) => <code className={css.value}>{key}</code> },
  {
    id: 'value',
    head: 'Value',
    cell: ({ value }) => <code className={`${clamp.clamp} ${clamp.code}`}>{JSON.stringify(value)}</code>,
  },
  {
    id: 'from',
    head: 'Source',
    width: '20%',
    cell: ({ from }) => (from === 'device' ? 'this device' : <span className={css.quiet}>class</span>),
  },
];
