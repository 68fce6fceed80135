import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { ArrowRightIcon } from '#console/firmware/rollouts/acts/rolloutIcons.tsx';
import { useRolloutActs } from '#console/firmware/rollouts/acts/useRolloutActs.tsx';
import { RolloutSteps } from '#console/firmware/rollouts/RolloutSteps.tsx';
import panel from '#console/ui/screen/Panel.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import { readBundle } from '#contract/bundle.ts';
import type { ChannelFirmware } from '#contract/channelFirmware.ts';
import type { Rollout } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ChannelBar } from './ChannelBar.tsx';
import css from './channelBand.module.css';
import { contentsText } from './contentsText.ts';
import { NextAct } from './NextAct.tsx';

interface RolloutBandProps {
  rollout: Rollout;
  read: ReadStateProps['read'] & { data: ChannelFirmware | undefined };
}

/** The unfinished rollout of a channel: from what to what, how far, and the one thing to do next. */
export function RolloutBand({ rollout, read }: RolloutBandProps) {
  const { id: rolloutId, projectId, channel, createdBy, createdAt, startedAt, bundle } = rollout;
  const acts = useRolloutActs(rollout);
  const firmware = read.data;
  // Start stands where the next act does; Stop is on the rollout’s own page.
  const atTop = acts.offered.filter(act => act === 'pause' || act === 'rollBack');
  return (
    <Panel
      title="Rollout"
      note={
        <span dir="auto">
          {startedAt ? 'started' : 'created'} {momentText(startedAt ?? createdAt)}
          {createdBy && ` by ${createdBy.name}`}
        </span>
      }
      flush
      action={
        <>
          <Link
            to="/projects/$projectId/channels/$channelId/rollouts/$rolloutId"
            params={{ projectId, channelId: channel.id, rolloutId }}
            className={panel.headLink}
          >
            Open rollout
          </Link>
          {atTop.map(acts.button)}
        </>
      }
    >
      <div className={css.band}>
        <FormError error={acts.error} />
        <div className={css.move}>
          <FromTo rollout={rollout} firmware={firmware} />
          <NextAct rollout={rollout} acts={acts} />
        </div>
        <ReadState read={read} what="The devices" skeleton={<Skeleton lines={2} />} refetchError />
        {firmware && <ChannelBar firmware={firmware} bundleName={bundle.name} isRollout />}
      </div>
      <RolloutSteps rollout={rollout} isPart />
      {acts.dialog}
    </Panel>
  );
}

function FromTo({ rollout, firmware }: { rollout: Rollout; firmware: ChannelFirmware | undefined }) {
  const { projectId, bundle, fromBundle, counts } = rollout;
  const { failed } = counts;
  const { data: to } = useRead(readBundle, { params: { bundleId: bundle.id } });
  const off = firmware?.offTarget ?? 0;
  return (
    <div className={css.fromTo}>
      <div className={css.side}>
        <span className={css.quiet}>from</span>
        {fromBundle ? (
          <BundleLink projectId={projectId} bundle={fromBundle} className={css.bundle} />
        ) : (
          <b className={css.bundle}>No bundle</b>
        )}
        {firmware?.current && <span className={css.contents}>{contentsText(firmware.current)}</span>}
        {firmware && (
          <span className={css.count}>
            {countOf(firmware.onCurrent, 'device')}
            {off > 0 && `, ${numberText(off)} off target`}
          </span>
        )}
      </div>
      <ArrowRightIcon />
      <div className={css.side}>
        <span className={css.quiet}>to</span>
        <BundleLink projectId={projectId} bundle={bundle} className={css.bundle} />
        {to && <span className={css.contents}>{contentsText(to.components)}</span>}
        {firmware && (
          <span className={css.count}>
            {countOf(firmware.devices.updated, 'device')},{' '}
            {failed > 0 ? <b className={css.failed}>{numberText(failed)} failed</b> : 'no failures'}
          </span>
        )}
      </div>
    </div>
  );
}
