import { useRead } from '#console/core/api.ts';
import css from '#console/devices/devices.module.css';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type DeviceEntity, listDeviceEntities } from '#contract/deviceState.ts';
import page from './page.module.css';

const columns: readonly Column<DeviceEntity>[] = [
  { id: 'name', head: 'Entity', width: '34%', cell: ({ name }) => <code className={css.value}>{name}</code> },
  {
    id: 'state',
    head: 'State',
    cell: ({ state }) =>
      state === undefined ? '–' : <code className={css.value}>{JSON.stringify(state)}</code>,
  },
  { id: 'class', head: 'Class', width: '33%', cell: ({ class: kind }) => kind },
];

/** The device's entities. */
export function EntitiesPanel({ deviceId }: { deviceId: string }) {
  const read = useRead(listDeviceEntities, { params: { deviceId } });
  const { data } = read;
  if (!data) return <ReadState read={read} what="The entities" skeleton={<Skeleton lines={2} />} />;
  if (data.length === 0)
    return (
      <div className={page.setupFoot}>
        <p className={css.note}>
          A device reports its addressable parts on <code>entities</code>.
        </p>
      </div>
    );
  return <Table label="Entities" columns={columns} rows={data} rowKey={({ name }) => name} />;
}
