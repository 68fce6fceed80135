import { useState } from 'react';
import { useCall, useRead } from '#console/api.ts';
import { ClassTabs } from '#console/devices/ClassTabs.tsx';
import { useDeviceClass } from '#console/devices/useDeviceClass.ts';
import { DeletePair } from '#console/keyValues/DeletePair.tsx';
import { EditPair, NewPair } from '#console/keyValues/PairDialogs.tsx';
import { useMay } from '#console/membership/useMay.ts';
import clamp from '#console/ui/Clamp.module.css';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { useUrlState } from '#console/urlState.ts';
import { deleteKvPair, type KvPair, listKvPairs, readKvPair, writeKvPair } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';

/** The settings that all devices of a class read, and are told of when they change. */
export function ClassAdvanced() {
  const { params, read } = useDeviceClass();
  const { projectId, classId } = params;
  const query = { projectId };
  const write = useCall(writeKvPair);
  const remove = useCall(deleteKvPair);
  const mayEdit = useMay(writeKvPair);
  const adding = useAdd('Add pair', mayEdit);
  const [{ pair: editedKey }, change] = useUrlState();
  const [deletedKey, setDeletedKey] = useState<string>();
  const edited = useRead(
    readKvPair,
    { params: { classId, pairKey: editedKey ?? '' }, query },
    { enabled: editedKey !== undefined },
  );
  if (read.error?.reason === 'DEVICE_CLASS_NOT_FOUND')
    return <NotFound what={`Device class ${classId} does not exist.`} />;
  const put = (pairKey: string, value: never, more: { ifMatch?: number; create?: boolean }) =>
    write.mutateAsync({
      params: { classId, pairKey },
      query,
      body: { value, ...(more.create && { create: true }) },
      ...(more.ifMatch !== undefined && { ifMatch: more.ifMatch }),
    });
  const edit = (key: string) => change({ pair: key });
  return (
    <ListScreen
      title={classId}
      noun="key-value pairs"
      endpoint={listKvPairs}
      input={page => ({ params: { classId }, query: { ...query, ...page } })}
      searchHint="Key…"
      tabs={<ClassTabs params={params} />}
      columns={columnsFor(mayEdit ? edit : undefined)}
      rowKey={({ key }) => key}
      {...(mayEdit && {
        rowMenu: ({ key }: KvPair) => [
          { label: 'Edit', run: () => edit(key) },
          { label: 'Delete', danger: true, run: () => setDeletedKey(key) },
        ],
      })}
      create={adding.button('primary')}
      empty={
        <EmptyState title="Settings for every device of the class" action={adding.button('primary')}>
          A key and any JSON: how often to report, which thresholds to use. Devices read them on{' '}
          <code>config</code> and are told when they change; a single device can have its own over them.
        </EmptyState>
      }
    >
      {adding.open && (
        <NewPair
          onWrite={(key, value, isOver) => put(key, value, { create: !isOver })}
          onClose={adding.close}
        />
      )}
      {mayEdit && edited.data && editedKey === edited.data.key && (
        <EditPair
          key={editedKey}
          pair={edited.data}
          onWrite={(value, ifMatch) => put(editedKey, value, { ifMatch })}
          onClose={() => change({ pair: undefined }, { replace: true })}
        />
      )}
      {deletedKey !== undefined && (
        <DeletePair
          pairKey={deletedKey}
          onDelete={() => remove.mutateAsync({ params: { classId, pairKey: deletedKey }, query })}
          onClose={() => setDeletedKey(undefined)}
        >
          <p>The devices of the class are notified at once. Devices with their own value keep it.</p>
        </DeletePair>
      )}
    </ListScreen>
  );
}

function columnsFor(onEdit: ((key: string) => void) | undefined): Column<KvPair>[] {
  return [
    {
      id: 'key',
      head: 'Key',
      sort: 'key',
      width: '34%',
      cell: ({ key }) =>
        onEdit ? (
          <button type="button" className={css.key} onClick={() => onEdit(key)}>
            {key}
          </button>
        ) : (
          <code>{key}</code>
        ),
    },
    {
      id: 'value',
      head: 'Value',
      cell: ({ value }) => <code className={`${clamp.clamp} ${clamp.code}`}>{JSON.stringify(value)}</code>,
    },
    {
      id: 'updated',
      head: 'Changed',
      sort: 'updatedAt',
      width: '16%',
      cell: ({ updatedAt }) => <TimeAgo time={updatedAt} />,
    },
  ];
}
