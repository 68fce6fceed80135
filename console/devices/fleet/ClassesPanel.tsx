import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { totalOf } from '#console/devices/states/deviceStates.ts';
import { StateStripe } from '#console/devices/states/StateBar.tsx';
import { Sparkline } from '#console/ui/chart/Bars.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import {
  type ClassFirmware,
  listClassFirmware,
  type ProjectStats,
  readMessageHours,
  readStats,
} from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import { hourMs } from '#rules/time/durations.ts';
import { restText } from './firmwareText.ts';
import css from './fleet.module.css';

interface ClassLine {
  id: string;
  description: string;
  states: ProjectStats['devices'][number];
  firmware: ClassFirmware | undefined;
  hours: readonly number[];
  quarantine: number;
}

/** A summary has this many classes; all of them have a screen of their own. */
const shownMax = 8;

/** How the devices of each class are doing, the largest class first. Absent if there are no classes. */
export function ClassesPanel({ projectId }: { projectId: string }) {
  const params = { projectId };
  const { data: stats } = useRead(readStats, { params });
  const { data: classes } = useRead(listDeviceClasses, { params, query: { limit: 999 } });
  const { data: messages } = useRead(readMessageHours, { params });
  const { data: firmware } = useRead(listClassFirmware, { params });
  const [now] = useState(() => serverNow());
  if (!stats || stats.devices.length === 0) return null;
  const rows = stats.devices
    .toSorted((a, b) => totalOf(b) - totalOf(a))
    .slice(0, shownMax)
    .map((states): ClassLine => {
      const own = classes?.items.find(({ id }) => id === states.deviceClass);
      const hours = messages?.classes.find(one => one.deviceClass === states.deviceClass)?.hours ?? [];
      return {
        id: states.deviceClass,
        description: own?.description ?? '',
        states,
        firmware: firmware?.find(one => one.deviceClass === states.deviceClass),
        hours: dayOf(hours, now),
        quarantine: own?.quarantineCount ?? 0,
      };
    });
  return (
    <Panel
      title="Classes"
      note={stats.devices.length}
      flush
      action={
        <Link to="/projects/$projectId/device_classes" params={params} className={css.more}>
          All classes
        </Link>
      }
    >
      <Table
        label="Device classes"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLink={({ id: classId }) => ({
          to: '/projects/$projectId/device_classes/$classId/instances',
          params: { projectId, classId },
        })}
      />
    </Panel>
  );
}

function dayOf(hours: readonly { hour: string; messages: number }[], now: number): number[] {
  const counts = new Map(hours.map(one => [Math.floor(Date.parse(one.hour) / hourMs), one.messages]));
  const last = Math.floor(now / hourMs);
  return Array.from({ length: 24 }, (_, i) => counts.get(last - 23 + i) ?? 0);
}

const columns: readonly Column<ClassLine>[] = [
  {
    id: 'class',
    head: 'Class',
    cell: ({ id, description }) => (
      <TwoLines strong main={id} sub={description && <span dir="auto">{description}</span>} />
    ),
  },
  {
    id: 'connected',
    head: 'Connected',
    width: '19%',
    cell: ({ states }) => (
      <span className={css.share}>
        <span>
          <b>{numberText(states.connected)}</b> of {numberText(totalOf(states))}
        </span>
        <StateStripe states={states} />
      </span>
    ),
  },
  {
    id: 'firmware',
    head: 'Firmware',
    width: '24%',
    hasValue: ({ firmware }) => firmware !== undefined,
    cell: ({ firmware, states }) => {
      const [first] = firmware?.bundles ?? [];
      if (!firmware || !first) return '–';
      const rest = restText(firmware, totalOf(states));
      return (
        <TwoLines main={<span dir="auto">{first.name}</span>} sub={rest && <span dir="auto">{rest}</span>} />
      );
    },
  },
  {
    id: 'messages',
    head: 'Messages, 24 h',
    width: '22%',
    cell: ({ id, hours }) => {
      const total = numberText(hours.reduce((sum, count) => sum + count, 0));
      return (
        <span className={css.went}>
          <Sparkline points={hours} label={`Messages of ${id}, hour by hour`} />
          <code>{total}</code>
        </span>
      );
    },
  },
  {
    id: 'quarantine',
    head: 'Quarantine',
    align: 'end',
    width: '11%',
    isWide: true,
    cell: ({ quarantine }) => (quarantine > 0 ? numberText(quarantine) : '–'),
  },
];
