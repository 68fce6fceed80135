import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useRead } from '#console/core/api.ts';
import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import { VersionPill } from '#console/firmware/VersionPill.tsx';
import { ListToolbar } from '#console/ui/list/ListToolbar.tsx';
import { Pager } from '#console/ui/list/Pager.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useListState } from '#console/ui/list/useListState.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { RefetchError } from '#console/ui/state/RefetchError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Component } from '#contract/component.ts';
import { type ComponentVersionRow, listComponentVersions } from '#contract/componentVersion.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './components.module.css';

interface VersionsPanelProps {
  projectId: string;
  component: Component;
  /** The button that adds a version, shown while there is none. */
  add: ReactNode;
}

/** Up to this many can be looked through; with more, a search helps. */
const fewMax = 10;

/** The versions of a component, newest first, with the state of each and who uses it. */
export function VersionsPanel({ projectId, component, add }: VersionsPanelProps) {
  const list = useListState(listComponentVersions.list, []);
  const query = { componentId: component.id, ...list.page };
  const read = useRead(listComponentVersions, { query });
  const frame = useRef<HTMLDivElement>(null);
  const page = read.data;
  const isBare = page?.total === 0 && !list.narrowed;
  return (
    <Panel title="Versions" note={numberText(component.versionCount)} flush>
      {(component.versionCount > fewMax || list.narrowed) && (
        <div className={css.toolbar}>
          <ListToolbar list={list} searchHint="Version…" filters={[]} />
        </div>
      )}
      <ReadState read={read} what="The versions" skeleton={<Skeleton shape="rows" lines={4} unsized />} />
      {page && <RefetchError error={read.error} />}
      {isBare && (
        <EmptyState title="No version yet" action={add}>
          A version is one file for this part of the device. Name it, then upload its file.
        </EmptyState>
      )}
      {page && !isBare && page.items.length === 0 && (
        <EmptyState title="No matching versions">Try fewer words.</EmptyState>
      )}
      {page && page.items.length > 0 && (
        <div ref={frame}>
          <Table
            label="Versions"
            columns={columns(projectId)}
            rows={page.items}
            rowKey={({ id }) => id}
            rowName={({ name }) => name}
            rowLink={({ id: versionId, componentId }) => ({
              to: '/projects/$projectId/components/$componentId/versions/$versionId',
              params: { projectId, componentId, versionId },
            })}
            sort={{ by: list.sort, initial: list.sortDefault, onChange: list.sortBy }}
          />
          {page.total > fewMax && <Pager page={page} list={list} isCurrent={!read.isPlaceholderData} />}
        </div>
      )}
    </Panel>
  );
}

const columns = (projectId: string): readonly Column<ComponentVersionRow>[] => [
  {
    id: 'name',
    head: 'Version',
    sort: 'name',
    cell: ({ name, filename }) => (
      <TwoLines strong main={name} sub={filename && <span dir="auto">{filename}</span>} />
    ),
  },
  { id: 'state', head: 'State', width: '16%', cell: ({ state }) => <VersionPill state={state} /> },
  {
    id: 'size',
    head: 'Size',
    sort: 'sizeBytes',
    width: '14%',
    cell: ({ sizeBytes, state }) =>
      sizeBytes !== undefined && state !== 'empty' ? binarySize(sizeBytes) : '–',
  },
  {
    id: 'usedBy',
    head: 'Used by',
    width: '24%',
    cell: version => <UsedBy projectId={projectId} version={version} />,
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '15%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

/** How many bundles contain it and how many devices run it; the version's own page lists them. */
function UsedBy({ projectId, version }: { projectId: string; version: ComponentVersionRow }) {
  const { id: versionId, componentId, bundleCount, deviceCount } = version;
  if (bundleCount === 0) return '–';
  const words = [countOf(bundleCount, 'bundle'), deviceCount > 0 && countOf(deviceCount, 'device')];
  return (
    <Link
      to="/projects/$projectId/components/$componentId/versions/$versionId"
      params={{ projectId, componentId, versionId }}
      hash="use"
      className={css.link}
    >
      {words.filter(Boolean).join(', ')}
    </Link>
  );
}
