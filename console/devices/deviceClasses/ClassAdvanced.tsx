import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { ClassTabs } from '#console/devices/ClassTabs.tsx';
import { DeletePair } from '#console/devices/keyValues/DeletePair.tsx';
import { EditPair, NewPair } from '#console/devices/keyValues/PairDialogs.tsx';
import { useDeviceClass } from '#console/devices/useDeviceClass.ts';
import clamp from '#console/ui/Clamp.module.css';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { deleteKvPair, type KvPair, listKvPairs, readKvPair, writeKvPair } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';

interface ClassParams {
  projectId: string;
  classId: string;
}

/** The key-value pairs that all devices of a class read, and are notified of when they change. */
export function ClassAdvanced() {
  const { params, read } = useDeviceClass();
  const { projectId, classId } = params;
  const put = useWritePair(params);
  const mayEdit = useMay(writeKvPair);
  const adding = useAdd('Create pair', mayEdit);
  const [{ pair: editedKey }, change] = useUrlState();
  const [deletedKey, setDeletedKey] = useState<string>();
  if (read.error?.reason === 'DEVICE_CLASS_NOT_FOUND')
    return <NotFound what={`Device class ${classId} does not exist.`} />;
  const edit = (key: string) => change({ pair: key });
  return (
    <ListScreen
      title={classId}
      noun="key-value pairs"
      endpoint={listKvPairs}
      input={page => ({ params: { classId }, query: { projectId, ...page } })}
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
        <EmptyState title="Config for every device of the class" action={adding.button('primary')}>
          A key and any JSON value, such as a reporting interval or a threshold. Devices read them on{' '}
          <code>config</code> and are notified of changes. A single device can override them.
        </EmptyState>
      }
    >
      {adding.open && (
        <NewPair
          onWrite={(key, value, isOver) => put(key, value, { create: !isOver })}
          onClose={adding.close}
        />
      )}
      {mayEdit && editedKey !== undefined && (
        <EditClassPair
          key={editedKey}
          params={params}
          pairKey={editedKey}
          onClose={() => change({ pair: undefined }, { replace: true })}
        />
      )}
      {deletedKey !== undefined && (
        <DeleteClassPair params={params} pairKey={deletedKey} onClose={() => setDeletedKey(undefined)} />
      )}
    </ListScreen>
  );
}

interface PairProps {
  params: ClassParams;
  pairKey: string;
  onClose: () => void;
}

function EditClassPair({ params, pairKey, onClose }: PairProps) {
  const { projectId, classId } = params;
  const { data } = useRead(readKvPair, { params: { classId, pairKey }, query: { projectId } });
  const put = useWritePair(params);
  if (data?.key !== pairKey) return null;
  return (
    <EditPair pair={data} onWrite={(value, ifMatch) => put(pairKey, value, { ifMatch })} onClose={onClose} />
  );
}

function DeleteClassPair({ params: { projectId, classId }, pairKey, onClose }: PairProps) {
  const remove = useCall(deleteKvPair);
  const input = { params: { classId, pairKey }, query: { projectId } };
  return (
    <DeletePair pairKey={pairKey} onDelete={() => remove.mutateAsync(input)} onClose={onClose}>
      <p>The devices of the class are notified immediately. Devices with their own value keep it.</p>
    </DeletePair>
  );
}

function useWritePair({ projectId, classId }: ClassParams) {
  const write = useCall(writeKvPair);
  return (pairKey: string, value: never, more: { ifMatch?: number; create?: boolean }) =>
    write.mutateAsync({
      params: { classId, pairKey },
      query: { projectId },
      body: { value, ...(more.create && { create: true }) },
      ...(more.ifMatch !== undefined && { ifMatch: more.ifMatch }),
    });
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
