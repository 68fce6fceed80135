import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import type { Channel, ChannelImpact } from '#contract/channel.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './change.module.css';
import type { ImpactRead } from './impactRead.ts';

interface Check {
  id: string;
  label: string;
  tone: Tone;
  count: number;
  result: ReactNode;
}

/** Whether the bundle suits the devices that would change: what they would refuse, and which would follow later. */
export function FitPanel({ channel, read: { data, error } }: { channel: Channel; read: ImpactRead }) {
  if (error && !data) return null;
  const changing = data && data.up + data.down;
  return (
    <Panel
      title="Fits every device?"
      note={changing !== undefined && `${countOf(changing, 'device')} would change`}
      flush
    >
      {data ? (
        <Table label="Checks" columns={columns} rows={checksOf(channel, data)} rowKey={({ id }) => id} />
      ) : (
        <Skeleton shape="rows" lines={3} />
      )}
    </Panel>
  );
}

function checksOf(channel: Channel, impact: ChannelImpact): Check[] {
  const { up, down, config, awayFor30Days, offline, refusesDowngrade } = impact;
  const checks: Check[] = [
    {
      id: 'class',
      label: 'Class',
      tone: 'ok',
      count: up + down,
      result: `all of ${channel.deviceClass}, as the bundle`,
    },
    {
      id: 'config',
      label: 'Configuration',
      tone: config.violating > 0 ? 'warn' : config.checked > 0 ? 'ok' : 'off',
      count: config.violating > 0 ? config.violating : config.checked,
      result: <ConfigResult channel={channel} config={config} />,
    },
  ];
  if (refusesDowngrade > 0)
    checks.push({
      id: 'security',
      label: 'Security version',
      tone: 'warn',
      count: refusesDowngrade,
      result: (
        <>
          run a higher one and will report <code>downgrade_refused</code>
        </>
      ),
    });
  checks.push({
    id: 'offline',
    label: 'Connected now',
    tone: offline > 0 ? 'off' : 'ok',
    count: up + down - offline,
    result:
      offline > 0
        ? `${numberText(offline)} ${offline === 1 ? 'is' : 'are'} offline now and ${offline === 1 ? 'follows when it returns' : 'follow when they return'}`
        : 'no devices to wait for',
  });
  if (awayFor30Days > 0)
    checks.push({
      id: 'away',
      label: 'Disconnected for 30 days',
      tone: 'off',
      count: awayFor30Days,
      result: 'follow when they return; nothing waits for them',
    });
  return checks;
}

function ConfigResult({ channel, config }: { channel: Channel; config: ChannelImpact['config'] }) {
  const { checked, complete, violating, examples } = config;
  const scope = complete ? '' : `, of the first ${numberText(checked)} checked`;
  if (checked === 0) return <>nothing to check</>;
  if (violating === 0) return <>fits the config schemas of the bundle{scope}</>;
  return (
    <>
      would violate a config schema of the bundle{scope}
      <ul className={css.examples}>
        {examples.map(({ deviceId, tag, text }) => (
          <li key={deviceId}>
            <Link
              to="/projects/$projectId/devices/$deviceId"
              params={{ projectId: channel.projectId, deviceId }}
              className={css.inText}
            >
              {tag || deviceId}
            </Link>{' '}
            {text}
          </li>
        ))}
      </ul>
    </>
  );
}

const columns: readonly Column<Check>[] = [
  {
    id: 'check',
    head: 'Check',
    width: '30%',
    cell: ({ tone, label }) => (
      <span className={css.check}>
        <Dot tone={tone} />
        {label}
      </span>
    ),
  },
  {
    id: 'devices',
    head: 'Devices',
    width: '14%',
    align: 'end',
    cell: ({ count }) => numberText(count),
  },
  { id: 'result', head: 'Result', always: true, cell: ({ result }) => result },
];
