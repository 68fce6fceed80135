import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import { ChipSelect } from '#console/ui/list/ChipField.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { type Bundle, listBundles, readBundle } from '#contract/bundle.ts';
import css from './bundles.module.css';
import { type ComparedRow, compareBundles } from './compareBundles.ts';

interface ContentsPanelProps {
  projectId: string;
  bundle: Bundle;
}

const offeredMax = 100;

/** What a bundle contains, and beside it another bundle if the address names one. */
export function ContentsPanel({ projectId, bundle }: ContentsPanelProps) {
  const [{ with: otherId = '' }, change] = useUrlState();
  const other = useRead(readBundle, { params: { bundleId: otherId } }, { enabled: otherId !== '' });
  const { deviceClass } = bundle;
  const query = { projectId, deviceClass, limit: offeredMax };
  const offered = useRead(listBundles, { query }).data?.items.filter(({ id }) => id !== bundle.id) ?? [];
  const theirs = otherId === '' ? undefined : other.data;
  const rows = compareBundles(bundle, theirs);
  const different = rows.filter(({ isSame }) => !isSame).length;
  const bytes = bundle.components.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const options = [...offered, ...(theirs && !offered.some(({ id }) => id === theirs.id) ? [theirs] : [])];
  return (
    <Panel
      title="Components"
      note={
        theirs ? differencesText(different, rows.length) : `${bundle.components.length}, ${binarySize(bytes)}`
      }
      flush
      action={
        options.length > 0 && (
          <ChipSelect
            label="Compare with"
            chosen={otherId || undefined}
            noneLabel="Stop comparing"
            onChange={id => change({ with: id }, { replace: true })}
            options={options.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )
      }
    >
      {other.error?.reason === 'BUNDLE_NOT_FOUND' && otherId !== '' && (
        <p className={css.said} role="alert">
          Bundle {otherId} does not exist.
        </p>
      )}
      <Table
        label="Components"
        columns={theirs ? comparedColumns(projectId, bundle, theirs) : columns(projectId)}
        rows={rows}
        rowKey={({ componentId }) => componentId}
        marked={({ isSame }) => theirs !== undefined && !isSame}
      />
    </Panel>
  );
}

function differencesText(different: number, of: number): string {
  if (different === 0) return 'The same versions';
  return `${different} of ${countOf(of, 'component')} ${different === 1 ? 'differs' : 'differ'}`;
}

const componentColumn = (projectId: string): Column<ComparedRow> => ({
  id: 'component',
  head: 'Component',
  cell: ({ componentId, componentName }) => (
    <Link
      className={css.name}
      to="/projects/$projectId/components/$componentId"
      params={{ projectId, componentId }}
    >
      {componentName}
    </Link>
  ),
});

const columns = (projectId: string): readonly Column<ComparedRow>[] => [
  componentColumn(projectId),
  {
    id: 'version',
    head: 'Version',
    width: '40%',
    cell: ({ mine }) => <Version projectId={projectId} version={mine} />,
  },
  {
    id: 'size',
    head: 'Size',
    align: 'end',
    width: '20%',
    cell: ({ mine }) => (mine ? binarySize(mine.sizeBytes) : '–'),
  },
];

const comparedColumns = (projectId: string, mine: Bundle, theirs: Bundle): readonly Column<ComparedRow>[] => [
  componentColumn(projectId),
  {
    id: 'mine',
    head: mine.name,
    width: '30%',
    cell: row => <Version projectId={projectId} version={row.mine} />,
  },
  {
    id: 'theirs',
    head: theirs.name,
    width: '30%',
    always: true,
    cell: row => <Version projectId={projectId} version={row.theirs} />,
  },
  {
    id: 'same',
    head: 'Difference',
    width: '16%',
    cell: ({ isSame, mine, theirs: other }) =>
      isSame ? <span className={css.quiet}>Same</span> : !mine ? 'Left out' : !other ? 'Added' : 'Differs',
  },
];

interface VersionProps {
  projectId: string;
  version: Bundle['components'][number] | undefined;
}

function Version({ projectId, version }: VersionProps) {
  if (!version) return <span className={css.quiet}>–</span>;
  const { componentId, versionId, versionName } = version;
  return (
    <Link
      className={css.version}
      to="/projects/$projectId/components/$componentId/versions/$versionId"
      params={{ projectId, componentId, versionId }}
    >
      {versionName}
    </Link>
  );
}
