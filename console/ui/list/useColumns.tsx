import { type ReactNode, useState } from 'react';
import { shared } from '#console/core/clientStorage.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { CheckIcon, ColumnsIcon } from '#console/ui/icons/icons.tsx';
import type { Column } from './Table.tsx';

/** Which columns of a list are shown: chosen in a menu, and remembered by this browser under a name. */
export function useColumns<Row>(
  columns: readonly Column<Row>[],
  name: string | undefined,
): { shown: readonly Column<Row>[]; menu: ReactNode } {
  const [changed, setChanged] = useState(() => (name ? kept(name) : noChanges));
  if (name === undefined) return { shown: columns, menu: undefined };
  const isShown = ({ id, isOptional }: Column<Row>) => changed[id] ?? !isOptional;
  // The first column names the row, so it always stays.
  const choices = columns.slice(1);
  function toggle(column: Column<Row>) {
    const next = { ...changed, [column.id]: !isShown(column) };
    setChanged(next);
    shared.write(keyOf(name ?? ''), JSON.stringify(next));
  }
  return {
    shown: columns.filter((column, at) => at === 0 || isShown(column)),
    menu: (
      <Menu
        label="Columns"
        trigger={<ColumnsIcon />}
        triggerClass={buttonClass('quiet')}
        items={choices.map(column => ({
          label: column.head,
          note: isShown(column) && <CheckIcon size={14} />,
          run: () => toggle(column),
        }))}
      />
    ),
  };
}

type Changes = Readonly<Record<string, boolean>>;
const noChanges: Changes = {};
const keyOf = (name: string) => `columns ${name}`;

function kept(name: string): Changes {
  try {
    const value: unknown = JSON.parse(shared.read(keyOf(name)) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Changes) : noChanges;
  } catch {
    return noChanges;
  }
}
