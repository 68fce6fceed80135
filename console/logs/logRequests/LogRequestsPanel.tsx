import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Hint } from '#console/ui/Hint.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import type { Filter } from '#console/ui/list/ListScreen.tsx';
import { ListToolbar } from '#console/ui/list/ListToolbar.tsx';
import { Pager } from '#console/ui/list/Pager.tsx';
import { Table } from '#console/ui/list/Table.tsx';
import { useListState } from '#console/ui/list/useListState.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import {
  cancelLogRequest,
  createLogRequest,
  type LogRequest,
  listLogRequests,
  logRequestPageSize,
  logRequestStatuses,
} from '#contract/logRequest.ts';
import { reasons } from '#contract/problem.ts';
import { editProject } from '#contract/project.ts';
import { CancelLogRequest } from './CancelLogRequest.tsx';
import { LogFile } from './LogFile.tsx';
import { logRequestColumns } from './logRequestColumns.tsx';
import css from './logRequests.module.css';
import { isPending, pendingStatuses, pollMs, statusWords } from './logRequestWords.ts';
import { NewLogRequest } from './NewLogRequest.tsx';
import { useDownload } from './useDownload.ts';

const filters: readonly Filter[] = [
  {
    id: 'status',
    label: 'Status',
    chips: logRequestStatuses.map(value => ({
      value,
      label: statusWords[value].word,
      tone: statusWords[value].tone,
    })),
  },
];

interface LogRequestsPanelProps {
  projectId: string;
  deviceId: string;
}

/** The log requests of the device, ten per page, newest first. */
export function LogRequestsPanel({ projectId, deviceId }: LogRequestsPanelProps) {
  const list = useListState(listLogRequests.list, filters, { sizeDefault: logRequestPageSize });
  const { read, hasPending } = useLogRequests(deviceId, list);
  const { data: project } = useProject();
  const mayCancel = useMay(cancelLogRequest);
  const mayCreate = useMay(createLogRequest);
  const mayAsk = mayCreate && project?.enableDeviceLogRetrieval === true;
  const adding = useHashForm('new', 'Request log', mayCreate);
  const [{ file }, change] = useUrlState();
  const [cancelling, setCancelling] = useState<LogRequest>();
  const download = useDownload(deviceId);
  useActions(mayAsk ? [{ label: 'Request log', keys: 'c', run: adding.show }] : []);
  const columns = logRequestColumns({
    onView: ({ id }) => change({ file: id }),
    onDownload: request => void download.start(request.id),
    onCancel: mayCancel ? setCancelling : undefined,
  });
  const isBare = read.data?.total === 0 && !list.narrowed;
  const isOff = project?.enableDeviceLogRetrieval === false;
  if (read.isPending) return <Skeleton shape="rows" lines={4} unsized />;
  if (isOff && isBare) return <RetrievalOff projectId={projectId} />;
  return (
    <>
      {isOff && <Hint action={<ToSettings projectId={projectId} />}>{reasons.LOG_RETRIEVAL_OFF[1]}</Hint>}
      {mayAsk && hasPending && <Hint>{reasons.LOG_REQUEST_PENDING[1]}</Hint>}
      {!isBare && <ListToolbar list={list} searchHint={undefined} filters={filters} />}
      {download.error && <FormError error={download.error} />}
      <Panel
        title="Log requests"
        note={read.data?.total || undefined}
        flush
        action={
          mayAsk && (
            <Button variant="quiet" icon={<PlusIcon />} disabled={hasPending} onClick={adding.show}>
              Request log
            </Button>
          )
        }
      >
        <LogRequests list={list} read={read} onAsk={mayAsk ? adding.show : undefined} columns={columns} />
        {read.data && read.data.total > logRequestPageSize && (
          <Pager page={read.data} list={list} isCurrent={!read.isPlaceholderData} />
        )}
      </Panel>
      {mayAsk && adding.open && (
        <NewLogRequest deviceId={deviceId} hasPending={hasPending} onClose={adding.hide} />
      )}
      {cancelling && <CancelLogRequest request={cancelling} onClose={() => setCancelling(undefined)} />}
      {file !== undefined && (
        <LogFile
          deviceId={deviceId}
          requestId={file}
          onClose={() => change({ file: undefined, text: undefined, level: undefined }, { replace: true })}
        />
      )}
    </>
  );
}

interface LogRequestsProps {
  list: ReturnType<typeof useListState>;
  read: ReturnType<typeof useLogRequests>['read'];
  /** Opens the form for a new request; absent if the member may not make one. */
  onAsk: (() => void) | undefined;
  columns: ReturnType<typeof logRequestColumns>;
}

function LogRequests({ list, read, onAsk, columns }: LogRequestsProps) {
  const { data } = read;
  if (!data)
    return <ReadState read={read} what="The log requests" skeleton={<Skeleton shape="rows" lines={3} />} />;
  if (data.total === 0 && list.narrowed)
    return (
      <EmptyState
        title="No matching log requests"
        action={<Button onClick={list.clear}>Clear filter</Button>}
      />
    );
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Request the device’s own log"
        action={onAsk && <Button onClick={onAsk}>Request log</Button>}
      >
        The device uploads its log for a time range, immediately or when it next connects. You can read it
        here.
      </EmptyState>
    );
  return (
    <div className={css.table}>
      <Table
        label="Log requests"
        columns={columns}
        rows={data.items}
        rowKey={({ id }) => id}
        sort={{ by: list.sort, initial: list.sortDefault, onChange: list.sortBy }}
      />
    </div>
  );
}

/** Shown instead of the list while log retrieval is switched off. */
function RetrievalOff({ projectId }: { projectId: string }) {
  const mayEdit = useMay(editProject);
  return (
    <Panel title="Log requests" flush>
      <EmptyState
        title="Device log retrieval is off"
        action={mayEdit && <ToSettings projectId={projectId} />}
      >
        {reasons.LOG_RETRIEVAL_OFF[1]} Then a device uploads its log for a time range when you request it.
      </EmptyState>
    </Panel>
  );
}

function ToSettings({ projectId }: { projectId: string }) {
  return (
    <Link to="/projects/$projectId/settings/advanced" params={{ projectId }} className={buttonClass('plain')}>
      Turn on in settings
    </Link>
  );
}

function useLogRequests(deviceId: string, list: ReturnType<typeof useListState>) {
  const params = { deviceId };
  const statuses = logRequestStatuses.filter(status => list.chosen.status?.includes(status));
  const poll = (page: { items: LogRequest[] } | undefined) => (page?.items.some(isPending) ? pollMs : false);
  const read = useRead(
    listLogRequests,
    { params, query: { ...list.page, ...(statuses.length > 0 && { statuses }) } },
    { refetchInterval: poll },
  );
  // The check for pending requests reads at most ten.
  const pending = useRead(
    listLogRequests,
    { params, query: { statuses: pendingStatuses, limit: logRequestPageSize } },
    { refetchInterval: poll },
  ).data;
  return { read, hasPending: (pending?.items.length ?? 0) > 0 };
}
