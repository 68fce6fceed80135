import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { JsonLines } from '#console/ui/code/JsonLines.tsx';
import { sizeText } from '#console/ui/form/FileField.tsx';
import { EditIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type ModuleData, readTableVersion, saveTableData } from '#contract/moduleData.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './data.module.css';
import { EditTable } from './EditTable.tsx';
import { RowsTable } from './RowsTable.tsx';
import { rowsOf } from './rowsOf.ts';

const views = [
  { value: 'table', label: 'Table' },
  { value: 'json', label: 'JSON' },
] as const;
const jsonMax = 100_000;

export function DataPanel({ module, data }: { module: SmartModule; data: ModuleData }) {
  const [url, change] = useUrlState();
  const old = useOldVersion(module, data, url.version);
  const rows = rowsOf(old ?? data);
  const view = url.view === 'json' || !rows ? 'json' : 'table';
  const maySave = useMay(saveTableData);
  const mayEdit = maySave && module.moduleType === 'table';
  const dialog = useHashForm('data', 'Edit data', maySave);
  const hasData = data.data !== undefined;
  return (
    <Panel
      title="Data"
      note={<DataNote data={data} old={old?.version} />}
      flush
      action={
        <>
          {hasData && rows && (
            <Segments
              label="View"
              options={views}
              chosen={view}
              onChange={next => change({ view: next === 'json' ? next : undefined }, { replace: true })}
            />
          )}
          {mayEdit && (
            <Button variant="quiet" icon={<EditIcon size={14} />} onClick={dialog.show}>
              {hasData ? 'Edit data' : 'Enter data'}
            </Button>
          )}
        </>
      }
    >
      {old && (
        <p className={css.old}>
          Version {old.version}, saved <TimeAgo time={old.savedAt} />. Rules use version {data.table?.version}
          .{' '}
          <Button variant="quiet" onClick={() => change({ version: undefined })}>
            Back to the current one
          </Button>
        </p>
      )}
      {!hasData && <p className={css.none}>No data yet.</p>}
      {hasData && view === 'table' && rows && <RowsTable rows={rows} />}
      {hasData && view === 'json' && <DataAsJson value={old?.data ?? data.data} />}
      {mayEdit && dialog.open && <EditTable module={module} data={data} onClose={dialog.hide} />}
    </Panel>
  );
}

function DataNote({ data, old }: { data: ModuleData; old: number | undefined }) {
  const { label, table, at, bytes } = data;
  if (old !== undefined) return <>version {old}</>;
  return (
    <>
      {label && <code>data.{label}</code>}
      {table && <> {table.rows === 1 ? '1 row' : `${numberText(table.rows)} rows`},</>}
      {bytes > 0 && <> {sizeText(bytes)}</>}
      {at && (
        <>
          , <TimeAgo time={at} />
        </>
      )}
    </>
  );
}

/** An earlier version, if the address names one. */
function useOldVersion(
  { projectId, id: moduleId }: SmartModule,
  { table }: ModuleData,
  asked: string | undefined,
) {
  const isOld =
    table !== undefined && asked !== undefined && /^\d{1,9}$/.test(asked) && asked !== String(table.version);
  const { data } = useRead(
    readTableVersion,
    { params: { projectId, moduleId, tableVersion: asked ?? '0' } },
    { enabled: isOld },
  );
  return isOld ? data : undefined;
}

function DataAsJson({ value }: { value: unknown }) {
  const [line, setLine] = useState<number>();
  const text = JSON.stringify(value, null, 2) ?? '';
  const isCut = text.length > jsonMax;
  return (
    <>
      <JsonLines
        label="Data"
        text={isCut ? text.slice(0, text.lastIndexOf('\n', jsonMax)) : text}
        marked={line === undefined ? undefined : [line, line]}
        onLine={setLine}
      />
      {isCut && (
        <p className={css.none}>
          The first {sizeText(jsonMax)} of {sizeText(text.length)}.
        </p>
      )}
    </>
  );
}
