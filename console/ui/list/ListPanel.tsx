import type { ReactNode } from 'react';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Table, type TableProps } from './Table.tsx';

interface ListPanelProps<Row> extends Omit<TableProps<Row>, 'rows' | 'label'> {
  title: string;
  read: ReadStateProps['read'] & { data: readonly Row[] | undefined };
  /** What could not be shown: "The projects". */
  what: string;
  refetchError?: boolean;
  action?: ReactNode;
  /** Replaces the table while there are no rows. */
  empty?: ReactNode;
  /** Replaces the panel while there are no rows: a sentence. */
  none?: string;
  /** Dialogs. */
  children?: ReactNode;
}

/** A list that is short enough to be read whole, as a panel of a screen. */
export function ListPanel<Row>({
  title,
  read,
  what,
  refetchError = false,
  action,
  empty,
  none,
  children,
  ...table
}: ListPanelProps<Row>) {
  const { data } = read;
  const panel =
    none && data?.length === 0 ? (
      <LinePanel title={title} action={action}>
        {none}
      </LinePanel>
    ) : (
      <Panel title={title} note={data?.length || undefined} flush action={action}>
        <ReadState
          read={read}
          what={what}
          skeleton={<Skeleton shape="rows" lines={2} unsized />}
          refetchError={refetchError}
        />
        {data?.length === 0 && empty}
        {data && data.length > 0 && <Table {...table} label={title} rows={data} />}
      </Panel>
    );
  // An open dialog stays while the first row arrives: it may show something that is shown only once.
  return (
    <>
      {panel}
      {children}
    </>
  );
}
