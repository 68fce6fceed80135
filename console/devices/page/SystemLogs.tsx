import { useParams } from '@tanstack/react-router';
import { call } from '#console/core/client.ts';
import { useLive } from '#console/core/live/live.ts';
import { ExportLinks } from '#console/logs/ExportLinks.tsx';
import { SearchedLog } from '#console/logs/SearchedLog.tsx';
import type { LogSource } from '#console/logs/useLogEntries.ts';
import { pathOf } from '#contract/client.ts';
import type { LogEntry } from '#contract/log.ts';
import { countDeviceLogEntries } from '#contract/logCounts.ts';
import { exportDeviceLogEntries, readDeviceLogEntries } from '#contract/logRequest.ts';

const texts = {
  empty: 'Nothing was recorded in this period: no connections, commands or rejected messages.',
  action: ' To find an action, enter its exact name, such as disconnected.',
};

/** What the platform recorded about a device: connections, commands, rejections. New entries appear by themselves. */
export function SystemLogs() {
  const { deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  return (
    <SearchedLog
      label="System log"
      source={deviceLogOf(deviceId)}
      hasTail
      texts={texts}
      tools={question => (
        <ExportLinks of={pathOf(exportDeviceLogEntries, { deviceId })} question={question} />
      )}
    />
  );
}

function deviceLogOf(deviceId: string): LogSource {
  const params = { deviceId };
  return {
    key: deviceId,
    read: asked => call(readDeviceLogEntries, { params, ...asked }),
    count: asked => call(countDeviceLogEntries, { params, ...asked }),
    useTail: (onEntry, enabled) =>
      useLive(
        'device',
        ({ deviceId: about, what, data }) => {
          if (about === deviceId && what === 'entry') onEntry(data as LogEntry);
        },
        enabled,
      ),
  };
}
