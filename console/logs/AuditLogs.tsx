import { useState } from 'react';
import { liveState } from '#console/live.ts';
import { SettingsScreen } from '#console/settings/SettingsScreen.tsx';
import { useStore } from '#console/store.ts';
import { LogViewer } from '#console/ui/LogViewer.tsx';
import { useLogView } from '#console/ui/useLogView.ts';
import { AuditSearch, useAuditSearch } from './AuditSearch.tsx';
import { AuditTools } from './AuditTools.tsx';
import { useAuditEntries } from './useAuditEntries.ts';

/** spec §2, §9: every change by anyone through any door, with what was before and after. */
export function AuditLogs() {
  return <SettingsScreen width="full">{project => <AuditLog projectId={project.id} />}</SettingsScreen>;
}

function AuditLog({ projectId }: { projectId: string }) {
  const { view, window } = useLogView();
  const search = useAuditSearch();
  const [wantsTail, setWantsTail] = useState(true);
  const connected = useStore(liveState) === 'live';
  const query = { ...window, ...search.query };
  // The tail shows what happens now: only where now is looked at, and nothing in particular is looked for.
  const canTail = (view === 'recent' || view === 'today') && !search.isOn;
  const log = useAuditEntries(projectId, query, {
    tail: canTail && wantsTail,
    pages: view !== 'recent' || search.isOn,
  });
  return (
    <>
      <AuditSearch search={search} tools={<AuditTools projectId={projectId} query={query} />} />
      <LogViewer
        label="Audit log"
        entries={log.entries}
        error={log.error}
        onRetry={log.retry}
        older={log.older}
        live={canTail ? { on: wantsTail, connected, onChange: setWantsTail } : undefined}
        emptyText={
          search.isOn
            ? 'Nothing in this time fits what you look for.'
            : 'Nobody changed anything in this time. Every change by anyone, through any door, stands here.'
        }
      />
    </>
  );
}
