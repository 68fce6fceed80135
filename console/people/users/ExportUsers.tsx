import { download } from '#console/core/files/fileLink.ts';
import { ExportMenu } from '#console/ui/dialog/ExportMenu.tsx';
import type { Found } from '#console/ui/list/ListScreen.tsx';
import { pathOf } from '#contract/client.ts';
import { exportUsers, type listUsers } from '#contract/user.ts';

const forms = [
  { format: 'csv', label: 'As CSV', note: 'for a spreadsheet' },
  { format: 'jsonl', label: 'As JSON lines', note: 'for a program' },
] as const;

/** Exports all users that the list finds, if any, as a file: the browser downloads it, however large it is. */
export function ExportUsers({ found: { input, count } }: { found: Found<typeof listUsers> }) {
  const { projectId, state, signsInWith, search } = input.query;
  function save(format: (typeof forms)[number]['format']): void {
    const given = Object.entries({ state, signsInWith, search, format }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    );
    download(`/api${pathOf(exportUsers, { projectId })}?${new URLSearchParams(given)}`);
  }
  if (count === '0') return null;
  return <ExportMenu said={count && usersSaid(count)} forms={forms} onExport={save} />;
}

const usersSaid = (count: string) => (count === '1' ? '1 user' : `${count} users`);
