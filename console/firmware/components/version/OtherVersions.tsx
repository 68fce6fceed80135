import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import {
  type ComponentVersion,
  type ComponentVersionRow,
  listComponentVersions,
} from '#contract/componentVersion.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './version.module.css';

const shownMax = 10;

/** The newest versions of the same component. */
export function OtherVersions({ projectId, version }: { projectId: string; version: ComponentVersion }) {
  const { id, componentId } = version;
  const read = useRead(listComponentVersions, { query: { componentId, limit: shownMax } });
  const page = read.data;
  return (
    <Panel
      title="Versions"
      note={page && numberText(page.total)}
      flush
      action={
        page && page.total > shownMax ? (
          <Link
            className={css.link}
            to="/projects/$projectId/components/$componentId"
            params={{ projectId, componentId }}
          >
            All
          </Link>
        ) : undefined
      }
    >
      <ReadState read={read} what="The versions" skeleton={<Skeleton shape="rows" lines={3} />} />
      {page && (
        <Table
          label="Versions"
          columns={columns}
          rows={page.items}
          rowKey={row => row.id}
          rowName={row => row.name}
          rowLink={({ id: versionId }) => ({
            to: '/projects/$projectId/components/$componentId/versions/$versionId',
            params: { projectId, componentId, versionId },
          })}
          marked={row => row.id === id}
        />
      )}
    </Panel>
  );
}

const columns: readonly Column<ComponentVersionRow>[] = [
  { id: 'name', head: 'Version', cell: ({ name }) => name },
  {
    id: 'size',
    head: 'Size',
    align: 'end',
    width: '30%',
    cell: ({ sizeBytes }) => (sizeBytes === undefined ? '–' : binarySize(sizeBytes)),
  },
  {
    id: 'usedBy',
    head: 'Used by',
    width: '32%',
    always: true,
    cell: ({ bundleCount }) => (bundleCount > 0 ? countOf(bundleCount, 'bundle') : '–'),
  },
];
