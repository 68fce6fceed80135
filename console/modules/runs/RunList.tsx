import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { Button } from '#console/ui/Button.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { ListToolbar } from '#console/ui/list/ListToolbar.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { RefetchError } from '#console/ui/state/RefetchError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { listModuleRuns, type ModuleFigures, moduleRunsPageMax, runStates } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { listText } from '#rules/text/listText.ts';
import { numberText } from '#rules/text/numberText.ts';
import { RunRow } from './RunRow.tsx';
import css from './runs.module.css';
import { type RunState, runTones, runWord } from './runWords.ts';

const refetchMs = 5_000;
const firstSize = 25;

interface RunListProps {
  module: SmartModule;
  figures: ModuleFigures | undefined;
}

/** The runs, newest first; the filter and the open run are in the address. */
export function RunList({ module, figures }: RunListProps) {
  const [url, change] = useUrlState();
  const state = runStates.find(one => one === url.state);
  const limit = url.all ? moduleRunsPageMax : firstSize;
  const read = useRuns(module, { state, search: url.q, after: url.after, limit });
  const { data: runs, error } = read;
  return (
    <>
      <RunFilters module={module} figures={figures} state={state} />
      {runs && <RefetchError error={error} />}
      {!runs && (
        <div className={css.waitingRuns}>
          <ReadState read={read} what="The runs" skeleton={<Skeleton shape="rows" lines={12} unsized />} />
        </div>
      )}
      {runs?.length === 0 && <NoRuns module={module} isNarrowed={Boolean(state || url.q || url.after)} />}
      {runs && runs.length > 0 && (
        <table className={css.runs} aria-label={typeWords[module.moduleType].runs}>
          <thead>
            <tr>
              {['At', 'Event', 'Device', 'Attempts', 'Outcome', 'Next'].map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map(run => (
              <RunRow
                key={run.id}
                module={module}
                run={run}
                isOpen={url.run === run.id}
                onToggle={() => change({ run: url.run === run.id ? undefined : run.id }, { replace: true })}
              />
            ))}
          </tbody>
        </table>
      )}
      <RunPages lastId={runs && runs.length >= limit ? runs.at(-1)?.id : undefined} />
    </>
  );
}

interface Asked {
  state: RunState | undefined;
  search: string | undefined;
  after: string | undefined;
  limit: number;
}

function useRuns({ projectId, id: moduleId }: SmartModule, { state, search, after, limit }: Asked) {
  const query = { limit, ...(state && { state }), ...(search && { search }), ...(after && { after }) };
  return useRead(listModuleRuns, { params: { projectId, moduleId }, query }, { refetchInterval: refetchMs });
}

function RunFilters({ module, figures, state }: RunListProps & { state: RunState | undefined }) {
  const [url, change] = useUrlState();
  return (
    <div className={css.toolbar}>
      <Chips
        label="State"
        single
        chips={shownStates(figures, state).map(one => ({
          value: one,
          label: runWord(one, module.moduleType),
          tone: runTones[one],
          // A space as wide as a digit until the count is known.
          count: figures ? numberText(figures[one]) : '\u2007',
        }))}
        chosen={state ? [state] : []}
        onChange={([next]) => change({ state: next, after: undefined, run: undefined })}
      />
      <ListToolbar
        list={{ search: url.q ?? '', searchFor: q => change({ q, after: undefined }, { replace: true }) }}
        searchHint="Device, event, id…"
      />
    </div>
  );
}

/** First loads more on the same page, then goes page by page; `lastId` is set if older runs may follow. */
function RunPages({ lastId }: { lastId: string | undefined }) {
  const [url, change] = useUrlState();
  if (!lastId && !url.after) return null;
  return (
    <footer className={css.foot}>
      {url.after && <Button onClick={() => change({ after: undefined, run: undefined })}>Newest</Button>}
      {lastId && !url.all && (
        <Button onClick={() => change({ all: 'yes' }, { replace: true })}>Show {moduleRunsPageMax}</Button>
      )}
      {lastId && url.all && <Button onClick={() => change({ after: lastId, run: undefined })}>Older</Button>}
    </footer>
  );
}

/** The states that every module shows, and the others if there are such runs. */
function shownStates(figures: ModuleFigures | undefined, chosen: RunState | undefined): RunState[] {
  const always: RunState[] = ['done', 'waiting', 'failed'];
  return runStates
    .filter(state => always.includes(state) || state === chosen || (figures && figures[state] > 0))
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}

const order: readonly RunState[] = ['done', 'waiting', 'failed', 'held', 'dropped'];

function NoRuns({ module, isNarrowed }: { module: SmartModule; isNarrowed: boolean }) {
  const { runs } = typeWords[module.moduleType];
  const events = module.subscribedEvents;
  return (
    <p className={css.none}>
      {isNarrowed
        ? `No matching ${runs.toLowerCase()}.`
        : events.length > 0
          ? `No ${runs.toLowerCase()} yet. The next event named ${listText(events, 'or')} starts one.`
          : `No ${runs.toLowerCase()} yet.`}
    </p>
  );
}
