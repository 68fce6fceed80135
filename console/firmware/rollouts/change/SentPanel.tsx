import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { ChannelImpact } from '#contract/channel.ts';
import css from './change.module.css';
import type { ImpactRead } from './impactRead.ts';

type Component = ChannelImpact['components'][number];

/** Which components change, and how much is sent for them. */
export function SentPanel({ read }: { read: ImpactRead }) {
  const { data } = read;
  const components = data?.components ?? [];
  const changed = components.filter(({ from, to }) => from !== to).length;
  return (
    <Panel
      title="Components"
      note={
        data &&
        (changed === 0
          ? 'no changes'
          : `${changed} of ${components.length} ${changed === 1 ? 'changes' : 'change'}`)
      }
      flush
    >
      {!data && !read.error && <Skeleton shape="rows" lines={2} />}
      {read.error && !data && <ReadState read={read} what="The components" />}
      {data && (
        <Table
          label="Components"
          columns={columns}
          rows={components}
          rowKey={({ componentName }) => componentName}
        />
      )}
    </Panel>
  );
}

const columns: readonly Column<Component>[] = [
  {
    id: 'component',
    head: 'Component',
    cell: ({ componentName }) => <b className={css.strong}>{componentName}</b>,
  },
  {
    id: 'now',
    head: 'Now',
    width: '15%',
    cell: ({ from }) => (from ? <code className={css.version}>{from}</code> : '–'),
  },
  {
    id: 'then',
    head: 'Then',
    width: '15%',
    always: true,
    cell: ({ to }) =>
      to ? (
        <code className={css.version}>{to}</code>
      ) : (
        <span className={css.quiet}>no longer part of it</span>
      ),
  },
  {
    id: 'sent',
    head: 'What is sent',
    width: '42%',
    cell: ({ to, sizeBytes, devices }) =>
      to && devices > 0 ? (
        `${binarySize(sizeBytes)} to ${countOf(devices, 'device')}`
      ) : (
        <span className={css.quiet}>Nothing</span>
      ),
  },
];
