import { useRead } from '#console/api.ts';
import css from '#console/devices/devices.module.css';
import { FormError } from '#console/ui/form/FormError.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { type DeviceEntity, listDeviceEntities } from '#contract/deviceState.ts';

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

/** The device's addressable parts, where it says that it has some. */
export function EntitiesPanel({ deviceId }: { deviceId: string }) {
  const { data, error } = useRead(listDeviceEntities, { params: { deviceId } });
  if (error && !data)
    return (
      <Panel title="Entities">
        <FormError error={error} />
      </Panel>
    );
  if (!data || data.length === 0) return null;
  return (
    <Panel title="Entities" note={data.length} flush>
      <Table label="Entities" columns={columns} rows={data} rowKey={({ name }) => name} />
    </Panel>
  );
}
