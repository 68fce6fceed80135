import { Button } from '#console/ui/Button.tsx';
import { sizeText } from '#console/ui/form/FileField.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { absoluteTime, momentText } from '#console/ui/time/dateTexts.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { LogRequest } from '#contract/logRequest.ts';
import css from './logRequests.module.css';
import { isPending, statusWords } from './logRequestWords.ts';

interface Deeds {
  onView: (request: LogRequest) => void;
  onDownload: (request: LogRequest) => void;
  onCancel: ((request: LogRequest) => void) | undefined;
}

export function logRequestColumns({ onView, onDownload, onCancel }: Deeds): Column<LogRequest>[] {
  return [
    {
      id: 'status',
      head: 'Status',
      sort: 'status',
      width: '20%',
      cell: ({ status, error, sizeBytes }) => (
        <StatePill
          shape="lines"
          {...statusWords[status]}
          detail={error ?? (sizeBytes !== undefined && sizeText(sizeBytes))}
        />
      ),
    },
    {
      id: 'start',
      head: 'Time range',
      sort: 'start',
      cell: ({ start, end }) => (
        <TwoLines
          main={<Moment time={start} />}
          sub={
            <>
              to <Moment time={end} />
            </>
          }
        />
      ),
    },
    {
      id: 'prefixes',
      head: 'Prefixes',
      width: '18%',
      cell: ({ prefixes }) => (prefixes.length === 0 ? 'all lines' : <code>{prefixes.join(', ')}</code>),
    },
    { id: 'ts', head: 'Requested', sort: 'ts', width: '13%', cell: ({ ts }) => <TimeAgo time={ts} /> },
    {
      id: 'deeds',
      head: 'Actions',
      hideHead: true,
      width: '190px',
      cell: request => (
        <span className={css.deeds}>
          {request.status === 'success' && (
            <>
              <Button onClick={() => onView(request)}>View</Button>
              <Button onClick={() => onDownload(request)}>Download</Button>
            </>
          )}
          {isPending(request) && onCancel && (
            <Button onClick={() => onCancel(request)}>Cancel request</Button>
          )}
        </span>
      ),
    },
  ];
}

/** Short enough for a phone; the full time with its zone is in the tooltip. */
function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {momentText(time)}
    </time>
  );
}
