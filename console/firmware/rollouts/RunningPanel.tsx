import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { limitMax } from '#contract/paging.ts';
import { listRollouts, type RolloutCounts, type RolloutRow } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './running.module.css';

interface RunningPanelProps {
  projectId: string;
  /** The rollouts that need attention, by id: they are no news here. */
  except: ReadonlySet<string>;
}

const shownMax = 4;
/** As often as what needs attention: the page of a rollout is faster. */
const askAgainMs = 20_000;

/** The rollouts that go on as they should; absent if there are none. */
export function RunningPanel({ projectId, except }: RunningPanelProps) {
  const { data } = useRead(
    listRollouts,
    { query: { projectId, state: 'unfinished', limit: limitMax } },
    { refetchInterval: askAgainMs },
  );
  const running = data?.items.filter(({ state, id }) => state === 'running' && !except.has(id)) ?? [];
  if (running.length === 0) return null;
  return (
    <Panel
      title="Rollouts"
      note={`${numberText(running.length)} running well`}
      action={
        <Link to="/projects/$projectId/firmware" params={{ projectId }} className={css.more}>
          Firmware
        </Link>
      }
    >
      <ul className={css.running}>
        {running.slice(0, shownMax).map(rollout => (
          <Running key={rollout.id} projectId={projectId} rollout={rollout} />
        ))}
      </ul>
    </Panel>
  );
}

function Running({ projectId, rollout }: { projectId: string; rollout: RolloutRow }) {
  const { id: rolloutId, channel, bundle, step, stepCount, counts } = rollout;
  return (
    <li>
      <p className={css.head}>
        <span dir="auto">
          <Link
            to="/projects/$projectId/channels/$channelId/rollouts/$rolloutId"
            params={{ projectId, channelId: channel.id, rolloutId }}
          >
            {bundle.name}
          </Link>{' '}
          to {channel.name}
        </span>
        <span className={css.step}>
          step {step + 1} of {stepCount}
        </span>
      </p>
      <span className={css.bar} aria-hidden="true">
        {parts.map(([tone, countOf]) => (
          <span key={tone} data-tone={tone} style={{ flexGrow: countOf(counts) }} />
        ))}
      </span>
      <p className={css.counts}>{countsText(counts)}</p>
    </li>
  );
}

const parts: readonly [string, (counts: RolloutCounts) => number][] = [
  ['ok', ({ updated }) => updated],
  ['accent', ({ active }) => active],
  ['danger', ({ failed }) => failed],
  ['away', ({ admitted, updated, active, failed }) => admitted - updated - active - failed],
];

/** "2,828 updated, 51 in progress, 18 away" */
function countsText({ admitted, updated, active, waiting, failed }: RolloutCounts): string {
  if (admitted === 0) return 'no device is updated yet';
  const said: [number, string][] = [
    [active, 'in progress'],
    [waiting, 'away'],
    [failed, 'failed'],
  ];
  const others = said.filter(([count]) => count > 0).map(([count, word]) => `${numberText(count)} ${word}`);
  return [`${numberText(updated)} updated`, ...others].join(', ');
}
