import { type ReactNode, useEffect, useRef } from 'react';
import { useRead } from '#console/api.ts';
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
import type { Chip } from './Chips.tsx';
import css from './ListScreen.module.css';
import { ListToolbar } from './ListToolbar.tsx';
import { Pager } from './Pager.tsx';
import { SelectionBar, useSelection } from './Selection.tsx';
import { Table, type TableProps } from './Table.tsx';
import { useArrowInto, useFocusInList } from './useArrowInto.ts';
import { useColumns } from './useColumns.tsx';
import { type PageQuery, useListState } from './useListState.ts';

type ListEndpoint = Endpoint & { list: ListOptions };
type RowOf<E extends Endpoint> = Result<E> extends Page<infer Row> ? Row : never;

export interface Filter {
  /** Its name in the address. */
  id: string;
  label: string;
  chips?: readonly Chip[];
  /** In place of chips: one of many. With neither, a text. */
  options?: readonly { value: string; label: string }[];
  /** What choosing none of them is called, where "Any" and the label make no sentence. */
  noneLabel?: string;
  single?: boolean;
  /** Folded away until it is asked for. */
  isRare?: true;
}

/** The rows that were chosen. */
export interface Chosen<E extends Endpoint = Endpoint> {
  ids: ReadonlySet<string>;
  /** Every row that matches, on whichever page. */
  all: boolean;
  count: string;
  /** What the list is asked for just now: with `all`, what it means. */
  input: Input<E>;
}

/** What a list is asked for just now, and how many that are once it is known. */
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
  /** What to ask, given the page, order and search text, and the chosen chips of each filter. */
  input: (page: PageQuery, chosen: Record<string, string[]>) => Input<E>;
  /** What the search looks at: "Tag, name, id…". Absent: no search. */
  searchHint?: string;
  filters?: readonly Filter[];
  tabs?: ReactNode;
  /** Rarer actions, left of the create button; a function where they are about all that the list finds. */
  actions?: ReactNode | ((found: Found<E>) => ReactNode);
  /** The button of `useAdd`. */
  create?: ReactNode;
  /** Shown while there is nothing at all: an `EmptyState`. */
  empty: ReactNode;
  /** Buttons for the chosen rows; makes rows selectable. */
  selectionActions?: ((chosen: Chosen<E>, clear: () => void) => ReactNode) | undefined;
  /** The list takes cursors for pages far down. */
  cursors?: true;
  /** Above search and filters: what the list holds at a glance. */
  above?: ReactNode;
  /** Wraps the table, once there are rows: for what is read about all of them at once. */
  withRows?: (rows: readonly RowOf<E>[], table: ReactNode) => ReactNode;
  /** At the end of the tabs. */
  toolbar?: ReactNode;
  /** Below the rows, beside their count: what the marks in them mean. */
  legend?: ReactNode;
  /** Lets one choose columns, and remembers them under this name. */
  chooseColumns?: string;
  /** Above the title. */
  before?: ReactNode;
  /** So few rows are searched by eye: until there are more of them, there is no search. */
  fewMax?: number;
  /** Between the head and the table: a hint, a limit. */
  children?: ReactNode;
  refetchInterval?: number;
}

/** The list pattern: search, filters, sort and page live in the address; the previous page stays until the next is there. */
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
  useFocusInList(frame, page);
  const columns = useColumns(props.columns, props.chooseColumns);

  return (
    <Screen
      title={title}
      before={props.before}
      beside={page && page.total > 0 && <span className={css.count}>{countText(page)}</span>}
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
      {!bare && !isFew && <ListToolbar list={list} searchHint={searchHint} filters={filters} />}
      {page && selection.ids.size > 0 && (
        <SelectionBar selection={selection} page={page} size={list.size}>
          {count => props.selectionActions?.({ ...selection, count, input: asked }, selection.clear)}
        </SelectionBar>
      )}
      {page && <RefetchError error={read.error} />}
      {/* What stands for an empty list is another thing in another place: it does not move there. */}
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
    </Screen>
  );
}

/** What is chosen rarely stands at the end of the tabs. */
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
      {/* A phone shows the first two, whatever is chosen. */}
      {columns && <div className={css.columns}>{columns}</div>}
    </>
  );
}

/** A cursor that leads nowhere any more is dropped. */
function useForgetCursor({ forgetCursor }: ReturnType<typeof useListState>, isPastCursor: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it does is the same with every render
  useEffect(() => {
    if (isPastCursor) forgetCursor();
  }, [isPastCursor]);
}

interface ListContentProps<E extends ListEndpoint> {
  /** Those of the screen. */
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

/** Beyond what the server counts exactly it says so: "10,000+". */
export function countText({ total, totalIsLowerBound }: Page<unknown>): string {
  return total.toLocaleString('en') + (totalIsLowerBound ? '+' : '');
}
