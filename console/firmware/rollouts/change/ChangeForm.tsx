import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { Bundle, BundleName } from '#contract/bundle.ts';
import { type Channel, type ChannelImpact, editChannel, readChannelImpact } from '#contract/channel.ts';
import { createRollout } from '#contract/rollout.ts';
import css from './change.module.css';
import { FitPanel } from './FitPanel.tsx';
import { HowPanel } from './HowPanel.tsx';
import { ImpactPanel } from './ImpactPanel.tsx';
import { NowAndThen } from './NowAndThen.tsx';
import { PausesPanel } from './PausesPanel.tsx';
import { SentPanel } from './SentPanel.tsx';
import { TryOutPanel } from './TryOutPanel.tsx';
import { type Change, useChange } from './useChange.ts';

interface ChangeFormProps {
  channel: Channel;
  now: Bundle | undefined;
  next: Bundle;
  choices: readonly BundleName[];
  mayChange: boolean;
}

export function ChangeForm({ channel, now, next, choices, mayChange }: ChangeFormProps) {
  const { id: channelId, name } = channel;
  const change = useChange();
  const read = useRead(readChannelImpact, { params: { channelId }, query: { bundleId: next.id } });
  const begin = useBegin(channel, next, change);
  return (
    <Screen
      title={`Roll out a bundle to ${name}`}
      beside={
        <span className={css.quiet}>
          {mayChange
            ? 'Nothing changes until you start.'
            : 'Your role lets you try this out, but not start it.'}
        </span>
      }
      actions={
        <CancelOrBegin channel={channel} begin={mayChange ? begin : undefined} isEdit={change.isEdit} />
      }
    >
      <UnsavedChangesGuard
        title="Leave without starting?"
        dirty={change.dirty}
        isGivenUp={() => begin.isDone.current}
      />
      <FormError error={begin.error} />
      {mayChange && <InTheWay channel={channel} lacks={begin.lacks} isEdit={change.isEdit} />}
      <NowAndThen channel={channel} now={now} chosen={next} choices={choices} />
      <Columns
        side={
          <>
            {mayChange && <HowPanel change={change} impact={read.data} channel={channel} />}
            {change.how !== 'now' && mayChange && <PausesPanel change={change} />}
            {change.how !== 'now' && <TryOutPanel channel={channel} bundle={next} change={change} />}
          </>
        }
      >
        <ImpactPanel channel={channel} bundle={next} read={read} change={change} />
        <SentPanel read={read} />
        <FitPanel channel={channel} read={read} />
      </Columns>
      {begin.isAsking && (
        <AskNow {...{ channel, next, change, impact: read.data }} onClose={begin.leave} onDone={begin.done} />
      )}
    </Screen>
  );
}

interface CancelOrBeginProps {
  channel: Channel;
  /** Undefined for those who may only try it out. */
  begin: ReturnType<typeof useBegin> | undefined;
  isEdit: boolean;
}

function CancelOrBegin({ channel: { projectId, id: channelId }, begin, isEdit }: CancelOrBeginProps) {
  return (
    <>
      <Link
        to="/projects/$projectId/channels/$channelId"
        params={{ projectId, channelId }}
        className={buttonClass()}
      >
        Cancel
      </Link>
      {begin && (
        <Button
          variant="primary"
          busy={begin.isBusy}
          disabled={begin.lacks !== undefined}
          onClick={begin.start}
        >
          {isEdit ? 'Change now' : 'Start rollout'}
        </Button>
      )}
    </>
  );
}

interface InTheWayProps {
  channel: Channel;
  lacks: string | undefined;
  isEdit: boolean;
}

/** Why it cannot begin yet, or what it would end. */
function InTheWay({ channel: { projectId, id: channelId, name, rolloutId }, lacks, isEdit }: InTheWayProps) {
  return (
    <>
      {lacks && <p className={css.lacks}>{lacks}</p>}
      {rolloutId && (
        <p className={css.lacks}>
          <span>
            {name} has an unfinished rollout. {isEdit ? 'Changing now stops it.' : 'Stop it first.'}
          </span>
          <Link
            to="/projects/$projectId/channels/$channelId/rollouts/$rolloutId"
            params={{ projectId, channelId, rolloutId }}
          >
            Open the rollout
          </Link>
        </p>
      )}
    </>
  );
}

function useBegin(channel: Channel, { id: bundleId }: Bundle, change: Change) {
  const { projectId, id: channelId, rolloutId } = channel;
  const [isAsking, setAsking] = useState(false);
  const isDone = useRef(false);
  const done = () => {
    isDone.current = true;
  };
  const navigate = useNavigate();
  const create = useCall(createRollout, { onDone: () => toast('Rollout started') });
  const goTo = ({ id: rolloutId }: { id: string }) => {
    const to = '/projects/$projectId/channels/$channelId/rollouts/$rolloutId';
    done();
    void navigate({ to, params: { projectId, channelId, rolloutId } });
  };
  return {
    isAsking,
    isDone,
    done,
    leave: () => setAsking(false),
    isBusy: create.isPending,
    error: create.error,
    lacks: lackOf(change, rolloutId !== undefined),
    start() {
      if (change.isEdit) setAsking(true);
      else {
        const body = { channelId, bundleId, ...change.settings, start: true };
        create.mutate({ body }, { onSuccess: goTo });
      }
    },
  };
}

/** Why it cannot begin as it is. An unfinished rollout has a line of its own. */
function lackOf({ how, devices, isEdit }: Change, hasRollout: boolean): string | undefined {
  if (how === 'chosen' && devices.length === 0) return 'Choose the devices that go first.';
  return hasRollout && !isEdit ? '' : undefined;
}

interface AskNowProps {
  channel: Channel;
  next: Bundle;
  change: Change;
  impact: ChannelImpact | undefined;
  onClose: () => void;
  onDone: () => void;
}

function AskNow({ channel, next, impact, onClose, onDone }: AskNowProps) {
  const { projectId, id: channelId, name } = channel;
  // The rollout at the time of the question: if another one starts meanwhile, the server refuses.
  const [rolloutId] = useState(channel.rolloutId);
  const touched = impact ? impact.up + impact.down : 0;
  const navigate = useNavigate();
  const edit = useCall(editChannel);
  async function go() {
    const body = { bundleId: next.id, ...(rolloutId !== undefined && { endRollout: true }) };
    await edit.mutateAsync({ params: { channelId }, body, ifMatch: channel.revision });
    toast('Bundle changed');
    onDone();
    await navigate({ to: '/projects/$projectId/channels/$channelId', params: { projectId, channelId } });
  }
  return (
    <Confirm
      title={`Point ${name} at ${next.name} now?`}
      verb="Change now"
      danger={false}
      onConfirm={go}
      onClose={onClose}
    >
      <p>
        {impact && countOf(touched, 'device')} that {touched === 1 ? 'follows' : 'follow'} <b>{name}</b>{' '}
        {touched === 1 ? 'is' : 'are'} offered <b dir="auto">{next.name}</b> at once, and nothing pauses it if
        it goes wrong.
        {rolloutId !== undefined && ' The unfinished rollout is stopped.'}
      </p>
    </Confirm>
  );
}
