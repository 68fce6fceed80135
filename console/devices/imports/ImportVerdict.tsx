import { useEffect } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import {
  applyImport,
  type DeviceImport,
  type ImportFault,
  importFaultsMax,
  readImport,
  readImportFaults,
} from '#contract/deviceBulk.ts';
import { numberText } from '#rules/text/numberText.ts';

const askAgainMs = 700;

interface ImportVerdictProps {
  projectId: string;
  importId: string;
  /** Starts again with another file. */
  onAgain: () => void;
  onClose: () => void;
}

/**
 * What the file contains and, once confirmed, the progress of the import. The dialog may be closed: the import
 * continues.
 */
export function ImportVerdict({ projectId, importId, onAgain, onClose }: ImportVerdictProps) {
  const params = { projectId, importId };
  const { data, error } = useRead(
    readImport,
    { params },
    { refetchInterval: last => (last === undefined || isUnderWay(last) ? askAgainMs : false) },
  );
  const apply = useCall(applyImport);
  const isDone = data?.state === 'done';
  useEffect(() => {
    if (isDone) void invalidate(applyImport, { projectId, importId });
  }, [isDone, projectId, importId]);
  const mayApply = data?.state === 'checked' && data.bad === 0 && data.good > 0;
  return (
    <Dialog title="Import devices" shape="wide" onClose={onClose}>
      <DialogBody>
        <FormError error={error ?? apply.error} />
        {!data && !error && <Skeleton lines={3} />}
        {data && <State of={data} />}
        {data?.state === 'checked' && data.bad + data.warnings > 0 && (
          <Faults params={params} total={data.bad + data.warnings} />
        )}
      </DialogBody>
      <DialogFooter>
        {(data ? !isDone && !mayApply && !isUnderWay(data) : error) && (
          <Button onClick={onAgain}>Choose another file</Button>
        )}
        <Button onClick={onClose} {...(isDone && { variant: 'primary' })}>
          Close
        </Button>
        {mayApply && (
          <Button variant="primary" busy={apply.isPending} onClick={() => apply.mutate({ params })}>
            Add {devices(data.good)}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function isUnderWay({ state }: DeviceImport): boolean {
  return state === 'waiting' || state === 'checking' || state === 'applying';
}

function State({ of: { state, lines, good, bad, warnings, created, error } }: { of: DeviceImport }) {
  const count = (number: number) => numberText(number);
  if (state === 'waiting') return <Progress label="Waiting for the file" part={undefined} />;
  if (state === 'checking') return <Progress label={`Checking: ${devices(lines)} read`} part={undefined} />;
  if (state === 'applying')
    return (
      <Progress
        label={`Adding devices: ${count(created)} of ${count(good)}. You can close this window; the import continues.`}
        part={good === 0 ? 1 : created / good}
      />
    );
  if (state === 'done') return <Progress label={`${devices(created)} added.`} part={1} tone="ok" />;
  if (state === 'failed')
    return (
      <p role="alert">
        {error ?? 'The import failed.'}{' '}
        {created > 0 && `${devices(created)} ${created === 1 ? 'was' : 'were'} added before that.`}
      </p>
    );
  if (bad > 0)
    return (
      <p role="status">
        <b>{count(bad)}</b> of {devices(lines)} cannot be imported. Nothing was written: fix the file and
        check it again.
      </p>
    );
  return (
    <p role="status">
      {good === 0
        ? 'There are no devices in this file.'
        : `${good === 1 ? 'The device is' : `All ${devices(good)} are`} ready to import. Nothing is written yet.`}
      {warnings > 0 && ' Check the warnings first.'}
    </p>
  );
}

const columns: readonly Column<ImportFault & { at: number }>[] = [
  { id: 'device', head: 'Device', width: '80px', cell: ({ device }) => <code>{device ?? '–'}</code> },
  { id: 'line', head: 'Line', width: '72px', cell: ({ line }) => <code>{line}</code> },
  { id: 'text', head: 'Error', cell: ({ text, warning }) => (warning ? `Warning: ${text}` : text) },
  { id: 'field', head: 'Field', width: '26%', cell: ({ field }) => (field ? <code>{field}</code> : '–') },
];

function Faults({ params, total }: { params: { projectId: string; importId: string }; total: number }) {
  const { data, error } = useRead(readImportFaults, { params });
  if (error) return <FormError error={error} />;
  if (!data) return <Skeleton shape="rows" lines={3} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section className={css.faults} aria-label="Errors and warnings in the file" tabIndex={0}>
      <Table
        label="Errors"
        columns={columns}
        rows={data.map((fault, at) => ({ ...fault, at }))}
        rowKey={({ at }) => String(at)}
      />
      {total > data.length && data.length >= importFaultsMax && (
        <p>Showing the first {numberText(importFaultsMax)}.</p>
      )}
    </section>
  );
}

function devices(count: number): string {
  return count === 1 ? '1 device' : `${numberText(count)} devices`;
}
