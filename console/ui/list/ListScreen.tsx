import { type ReactNode, useEffect, useRef } from 'react';
import { useRead } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { Lighthouse } from '#console/ui/drawings.tsx';
import { Later } from '#console/ui/screen/Later.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { RefetchError } from '#console/ui/state/RefetchError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { Input, Result } from '#contract/client.ts';
import type { Endpoint, ListOptions } from '#contract/endpoint.ts';
import type { Page } from '#contract/paging.ts';
import { numberText } from '#rules/text/numberText.ts';
import type { Chip } from './Chips.tsx';
import css from './ListScreen.module.css';
import { ListToolbar } from './ListToolbar.tsx';
import { Pager } from './Pager.tsx';
import { SelectionBar, useSelection } from './Selection.tsx';
import { Table, type TableProps } from './Table.tsx';
import { useArrowInto } from './useArrowInto.ts';
import { useColumns } from './useColumns.tsx';
import { type PageQuery, useListState } from './useListState.ts';

type ListEndpoint = Endpoint & { list: ListOptions };
type RowOf<E extends Endpoint> = Result<E> extends Page<infer Row> ? Row : never;

export interface Filter {
  /** Its name in the address. */
  id: string;
  label: string;
  chips?: readonly Chip[];
  /** A select instead of chips. With neither, the filter is a text. */
  options?: readonly { value: string; label: string }[];
  /** The label of the empty choice, if "Any" and the label do not make sense. */
  noneLabel?: string;
  single?: boolean;
  /** Folded until requested. */
  isRare?: true;
}

/** The selected rows. */
export interface Chosen<E extends Endpoint = Endpoint> {
  ids: ReadonlySet<string>;
  /** Every matching row, on all pages. */
  all: boolean;
  count: string;
  /** The current query of the list: with `all`, it defines the selection. */
  input: Input<E>;
}

/** The current query of a list, and the number of its results once known. */
export interface Found<E extends Endpoint = Endpoint> {
  input: Input<E>;
  count: string | undefined;
}

interface ListScreenProps<E extends ListEndpoint>
  extends Omit<TableProps<RowOf<E>>, 'rows' | 'sort' | 'label' | 'selection'> {
  title: string;
  /** The plural, in sentences: "No devices match". */
  noun: string;
  endpoint: E;
  /** Returns the query for the page, order, search text and the chosen values of each filter. */
  input: (page: PageQuery, chosen: Record<string, string[]>) => Input<E>;
  /** The fields that are searched: "Tag, name, id…". Absent: no search. */
  searchHint?: string;
  filters?: readonly Filter[];
  tabs?: ReactNode;
  /** Less frequent actions, left of the create button; a function if they are about everything that the list finds. */
  actions?: ReactNode | ((found: Found<E>) => ReactNode);
  /** The button of `useAdd`. */
  create?: ReactNode;
  /** Shown while there are no rows at all: an `EmptyState`. */
  empty: ReactNode;
  /** Buttons for the chosen rows; makes rows selectable. */
  selectionActions?: ((chosen: Chosen<E>, clear: () => void) => ReactNode) | undefined;
  /** The list accepts cursors for pages far down. */
  cursors?: true;
  /** Shown above search and filters: an overview of the list. */
  above?: ReactNode;
  /** Wraps the table once there are rows: for reads about all of them at once. */
  withRows?: (rows: readonly RowOf<E>[], table: ReactNode) => ReactNode;
  /** At the end of the tabs. */
  toolbar?: ReactNode;
  /** At the end of the filters: how the rows are shown. */
  filtersEnd?: ReactNode;
  /** Shown below the rows, beside their count: what the marks in the rows mean. */
  legend?: ReactNode;
  /** Lets the user choose columns, and remembers the choice under this name. */
  chooseColumns?: string;
  /** Shown above the title. */
  before?: ReactNode;
  /** Up to this many rows can be searched by eye, so there is no search until there are more. */
  fewMax?: number;
  /** Shown between the head and the table: a hint, a limit. */
  children?: ReactNode;
  refetchInterval?: number;
}

/**
 * The list pattern: search, filters, sort order and page are in the address; the previous page stays until the next one
 * arrives.
 */
export function ListScreen<E extends ListEndpoint>(props: ListScreenProps<E>) {
  const { title, endpoint, input, searchHint, filters = [], tabs, actions, create } = props;
  const list = useListState(endpoint.list, filters, { cursors: props.cursors });
  const asked = input(list.page, list.chosen);
  const read = useRead<E>(endpoint, asked, { refetchInterval: props.refetchInterval });
  const page = read.data as Page<RowOf<E>> | undefined;
  useForgetCursor(list, read.error?.fields.cursor !== undefined);
  const selection = useSelection(JSON.stringify([list.search, list.chosen]));
  const frame = useArrowInto(useRef<HTMLDivElement>(null));
  const bare = page?.total === 0 && !list.narrowed;
  const isFew = !list.narrowed && (page?.total ?? 0) <= (props.fewMax ?? -1);
  const columns = useColumns(props.columns, props.chooseColumns);

  return (
    <Screen
      title={title}
      before={props.before}
      beside={page && page.total > 0 && <span className={css.count}>{titleCount(page, props)}</span>}
      tabs={
        tabs && (
          <TabsLine tabs={tabs}>{!bare && <Tools toolbar={props.toolbar} columns={columns.menu} />}</TabsLine>
        )
      }
      actions={
        <>
          {typeof actions === 'function'
            ? actions({ input: asked, count: page && countText(page) })
            : actions}
          {create}
        </>
      }
    >
      {props.children}
      {!bare && props.above}
      {!bare && !isFew && <ListToolbar {...{ list, searchHint, filters }} end={props.filtersEnd} />}
      {page && <RefetchError error={read.error} />}
      {/* An empty state is a new element in its own place, not the table moved there. */}
      <div
        key={bare ? 'empty' : 'rows'}
        ref={frame}
        className={css.frame}
        aria-busy={read.isPlaceholderData || undefined}
      >
        <ListContent
          props={{ ...props, columns: columns.shown }}
          read={read}
          list={list}
          selection={selection}
        />
      </div>
      {page && selection.ids.size > 0 && (
        <SelectionBar selection={selection} page={page} size={list.size}>
          {count => props.selectionActions?.({ ...selection, count, input: asked }, selection.clear)}
        </SelectionBar>
      )}
    </Screen>
  );
}

/** Rarely used choices are at the end of the tabs. */
function TabsLine({ tabs, children }: { tabs: ReactNode; children: ReactNode }) {
  return (
    <div className={css.tabs}>
      {tabs}
      <div className={css.tabsEnd}>{children}</div>
    </div>
  );
}

function Tools({ toolbar, columns }: { toolbar: ReactNode; columns: ReactNode }) {
  return (
    <>
      {toolbar}
      {/* A phone shows the first two columns, whatever is chosen. */}
      {columns && <div className={css.columns}>{columns}</div>}
    </>
  );
}

/** Drops a cursor beyond the end of the list. */
function useForgetCursor({ forgetCursor }: ReturnType<typeof useListState>, isPastCursor: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function does the same in every render
  useEffect(() => {
    if (isPastCursor) forgetCursor();
  }, [isPastCursor]);
}

interface ListContentProps<E extends ListEndpoint> {
  props: ListScreenProps<E>;
  read: ReturnType<typeof useRead<E>>;
  list: ReturnType<typeof useListState>;
  selection: ReturnType<typeof useSelection>;
}

function ListContent<E extends ListEndpoint>(content: ListContentProps<E>) {
  const { props, read, list } = content;
  const { noun, empty } = props;
  const page = read.data as Page<RowOf<E>> | undefined;
  if (!page && read.error?.reason === 'INVALID_RANGE') return <PastTheEnd onBack={() => list.goTo(1)} />;
  if (!page && read.error) return <ReadState read={read} what={`The ${noun}`} />;
  if (page?.total === 0) return list.narrowed ? <NoMatch noun={noun} list={list} /> : empty;
  return (
    <Later when={page !== undefined} space={<Skeleton shape="rows" lines={8} />}>
      {page && <Rows {...content} page={page} />}
    </Later>
  );
}

function Rows<E extends ListEndpoint>({
  props,
  page,
  read,
  list,
  selection,
}: ListContentProps<E> & { page: Page<RowOf<E>> }) {
  const table = (
    <Table
      {...props}
      label={props.title}
      rows={page.items}
      sort={{ by: list.sort, initial: list.sortDefault, onChange: list.sortBy }}
      selection={
        props.selectionActions && {
          chosen: selection.all ? new Set(page.items.map(props.rowKey)) : selection.ids,
          onChange: selection.choose,
        }
      }
    />
  );
  return (
    <>
      {page.items.length === 0 ? (
        <PastTheEnd onBack={() => list.goTo(1)} />
      ) : props.withRows ? (
        props.withRows(page.items, table)
      ) : (
        table
      )}
      <Pager page={page} list={list} isCurrent={!read.isPlaceholderData} legend={props.legend} />
    </>
  );
}

function NoMatch({ noun, list }: { noun: string; list: ReturnType<typeof useListState> }) {
  return (
    <EmptyState
      icon={<Lighthouse />}
      title={`No matching ${noun}`}
      action={<Button onClick={list.clear}>{list.search ? 'Clear search' : 'Clear filters'}</Button>}
    >
      {list.search ? 'Try fewer words or clear a filter.' : 'Clear a filter to see more.'}
    </EmptyState>
  );
}

function PastTheEnd({ onBack }: { onBack: () => void }) {
  return (
    <EmptyState title="This page is empty" action={<Button onClick={onBack}>First page</Button>}>
      The list is shorter than before.
    </EmptyState>
  );
}

/** The count beside the title; of what, where the title does not say it: "thermostat", "3 key-value pairs". */
function titleCount(page: Page<unknown>, { title, noun }: { title: string; noun: string }): string {
  if (title.toLowerCase().includes(noun)) return countText(page);
  return `${countText(page)} ${page.total === 1 ? noun.replace(/s$/, '') : noun}`;
}

/** The number of results; beyond what the server counts exactly, "10,000+". */
export function countText({ total, totalIsLowerBound }: Page<unknown>): string {
  return numberText(total) + (totalIsLowerBound ? '+' : '');
}
