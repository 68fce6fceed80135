import { call } from '#console/core/client.ts';
import { useLiveEntries } from '#console/core/live/live.ts';
import { useDeviceNames } from '#console/devices/deviceNames.ts';
import { SearchedLog } from '#console/logs/SearchedLog.tsx';
import type { LogSource } from '#console/logs/useLogEntries.ts';
import { SettingsScreen } from '#console/projects/settings/SettingsScreen.tsx';
import { LogNames } from '#console/ui/logs/logNames.tsx';
import { readLogEntries } from '#contract/log.ts';
import { countLogEntries } from '#contract/logCounts.ts';
import { AuditTools } from './AuditTools.tsx';

const texts = {
  empty: 'No changes in this period. Every change to the project is recorded here.',
  action: ' To find an action, enter its exact name, such as editProject.',
};

/** Every change by anyone through any entry point, with the values before and after. */
export function AuditLogs() {
  return (
    <SettingsScreen width="full">
      {({ id: projectId }) => (
        <LogNames value={{ projectId, useNames: useDeviceNames }}>
          <SearchedLog
            label="Audit log"
            source={auditLogOf(projectId)}
            teamOf={projectId}
            hasTail
            texts={texts}
            tools={question => <AuditTools projectId={projectId} question={question} />}
          />
        </LogNames>
      )}
    </SettingsScreen>
  );
}

function auditLogOf(projectId: string): LogSource {
  return {
    key: projectId,
    read: asked => call(readLogEntries, { params: { projectId }, ...asked }),
    count: asked => call(countLogEntries, { params: { projectId }, ...asked }),
    useTail: useLiveEntries,
  };
}
