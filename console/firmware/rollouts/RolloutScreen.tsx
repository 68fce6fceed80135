import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { PausedBand } from '#console/firmware/rollouts/acts/PausedBand.tsx';
import { useRolloutActs } from '#console/firmware/rollouts/acts/useRolloutActs.tsx';
import { WaysOut } from '#console/firmware/rollouts/acts/WaysOut.tsx';
import { GatesPanel } from '#console/firmware/rollouts/gates/GatesPanel.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import { type Rollout, readRollout } from '#contract/rollout.ts';
import { readRolloutReport } from '#contract/rolloutReport.ts';
import { FailuresPanel } from './FailuresPanel.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';
import { isMoving, rolloutPollMs } from './isMoving.ts';
import { ProgressPanel } from './ProgressPanel.tsx';
import { RolloutPanel } from './RolloutPanel.tsx';
import { asRow, RolloutPill } from './RolloutPill.tsx';
import { RolloutSteps } from './RolloutSteps.tsx';
import { changeText, standingWords } from './rolloutWords.ts';

/** One rollout: its progress, its failures, what would pause it, and the possible actions. */
export function RolloutScreen() {
  const { projectId, channelId, rolloutId } = useParams({
    from: '/shell/projects/$projectId/channels/$channelId/rollouts/$rolloutId/',
  });
  const read = useRead(
    readRollout,
    { params: { rolloutId } },
    { refetchInterval: last => isMoving(last) && rolloutPollMs },
  );
  const { data, error } = read;
  const isHere = data?.projectId === projectId && data.channel.id === channelId;
  if (error?.reason === 'ROLLOUT_NOT_FOUND' || (data && !isHere))
    return <NotFound what={`Rollout ${rolloutId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The rollout" />;
  return (
    <>
      <ReadState read={read} what="The rollout" refetchError />
      <OneRollout rollout={data} />
    </>
  );
}

function OneRollout({ rollout }: { rollout: Rollout }) {
  const params = { rolloutId: rollout.id };
  const read = useRead(
    readRolloutReport,
    { params },
    { refetchInterval: isMoving(rollout) && rolloutPollMs },
  );
  const acts = useRolloutActs(rollout);
  const now = useNow();
  const { offered, button, menu, pending } = acts;
  const { state } = rollout;
  return (
    <DetailScreen
      name={changeText(rollout)}
      id={rollout.id}
      state={<RolloutPill rollout={asRow(rollout)} pending={pending} />}
      actions={offered.map(button)}
      {...(menu.length > 0 && { menu })}
    >
      <FormError error={acts.error} />
      {state === 'paused' && <PausedBand rollout={rollout} acts={acts} />}
      <RolloutSteps rollout={rollout} acts={acts} />
      <Columns
        side={
          <>
            <GatesPanel rollout={rollout} read={read} />
            <WaysOut rollout={rollout} />
            <RolloutPanel rollout={rollout} />
          </>
        }
      >
        <ProgressPanel rollout={rollout} report={read.data} readAt={read.dataUpdatedAt} />
        <FailuresPanel rollout={rollout} read={read} acts={acts} />
        <HistoryPanel rollout={rollout} report={read.data} />
      </Columns>
      {acts.dialog}
      <span className="visuallyHidden" role="status">
        {standingWords(rollout, now).word}
      </span>
    </DetailScreen>
  );
}
