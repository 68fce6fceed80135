import { useState } from 'react';
import { call } from '#console/api.ts';
import { liveState, useLiveEntries } from '#console/live.ts';
import { isFiltered, isOpen, otherTime, questionOf, viewOf } from '#console/logs/auditQuestion.ts';
import css from '#console/logs/logs.module.css';
import { type LogSource, useLogEntries } from '#console/logs/useLogEntries.ts';
import { SettingsScreen } from '#console/settings/SettingsScreen.tsx';
import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { LogViewer } from '#console/ui/logs/LogViewer.tsx';
import { logWindow } from '#console/ui/logs/logViews.ts';
import { absoluteTime } from '#console/ui/state/TimeAgo.tsx';
import { useUrlState } from '#console/urlState.ts';
import { readLogEntries } from '#contract/log.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTools } from './AuditTools.tsx';

const wholeName = ' To find an action, enter its exact name, such as editProject.';

/** Every change by anyone through any door, with what was before and after. */
export function AuditLogs() {
  return <SettingsScreen width="full">{project => <AuditLog projectId={project.id} />}</SettingsScreen>;
}

function AuditLog({ projectId }: { projectId: string }) {
  const [url, change] = useUrlState();
  // Time stands still while one looks: a moving end would be another question with every render.
  const [now] = useState(() => new Date());
  const [wantsTail, setWantsTail] = useState(true);
  const connected = useStore(liveState) === 'live';
  const question = questionOf(url, now);
  const filtered = isFiltered(url);
  const isRecent = viewOf(url) === 'recent';
  const canTail = isOpen(url);
  const log = useLogEntries(auditLogOf(projectId), question, {
    tail: canTail && wantsTail,
    only: isRecent && !filtered ? logWindow('recent', now).maxEntries : undefined,
  });
  const showAll = () => change({ view: otherTime.value, from: undefined, to: undefined, pages: undefined });
  const recentFull =
    isRecent && !filtered && (log.entries?.length ?? 0) >= logWindow('recent', now).maxEntries;
  function emptyAction() {
    if (log.searchedTo && log.older)
      return (
        <Button busy={log.older.loading} onClick={log.older.load}>
          Search further back
        </Button>
      );
    if (!filtered || viewOf(url) === otherTime.value) return undefined;
    return <Button onClick={showAll}>Search entire log</Button>;
  }
  return (
    <>
      <AuditTools projectId={projectId} question={question} />
      <LogViewer
        label="Audit log"
        entries={log.entries}
        error={log.error}
        onRetry={log.retry}
        older={log.older ?? (recentFull ? { load: showAll, loading: false } : undefined)}
        live={canTail ? { on: wantsTail, connected, onChange: setWantsTail } : undefined}
        moreViews={[otherTime]}
        filters={<AuditFilters projectId={projectId} entries={log.entries ?? []} />}
        emptyText={emptyText(filtered, log.searchedTo) + (url.action ? wholeName : '')}
        emptyAction={emptyAction()}
      />
      {log.searchedTo && (
        <p className={css.searchedTo} role="status">
          Searched back to {absoluteTime(log.searchedTo)}. Searches with four letters or more are faster; use
          the button above to continue.
        </p>
      )}
    </>
  );
}

function auditLogOf(projectId: string): LogSource {
  return {
    key: projectId,
    read: asked => call(readLogEntries, { params: { projectId }, ...asked }),
    useTail: useLiveEntries,
  };
}

function emptyText(filtered: boolean, searchedTo: string | undefined): string {
  if (!filtered) return 'No changes in this period. Every change to the project is recorded here.';
  return searchedTo ? `No matches since ${absoluteTime(searchedTo)}.` : 'No matches in this period.';
}
