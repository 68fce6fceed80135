import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { classFact } from '#console/firmware/firmwareFacts.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Facts, Panel, PanelFooter, panelForm } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import { secondsText } from '#console/ui/time/secondsText.ts';
import { type Bundle, readBundle } from '#contract/bundle.ts';
import { editRollout, type Rollout, unfinished } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import { PaceFields, paceFaults, paceFrom, paceOf } from './PaceFields.tsx';
import css from './rollouts.module.css';

/** The settings of the rollout: what changes, where, and how fast. */
export function RolloutPanel({ rollout }: { rollout: Rollout }) {
  const mayEdit = useMay(editRollout);
  const { bundle, fromBundle } = rollout;
  const to = useRead(readBundle, { params: { bundleId: bundle.id } }).data;
  const from = useRead(
    readBundle,
    { params: { bundleId: fromBundle?.id ?? '' } },
    { enabled: fromBundle !== undefined && !fromBundle.isDeleted },
  ).data;
  const facts: Fact[] = [
    ...linksOf(rollout),
    ['Changes', <Changes key="changes" from={from} to={to} />],
    ...paceFacts(rollout),
  ];
  return (
    <Panel
      title="Rollout"
      locked={!mayEdit || !unfinished.includes(rollout.state)}
      edit={done => <EditPace rollout={rollout} done={done} />}
    >
      <Facts facts={facts} />
    </Panel>
  );
}

type Fact = readonly [string, ReactNode];

function linksOf({
  projectId,
  channel,
  deviceClass: classId,
  bundle,
  fromBundle,
  rollsBack,
}: Rollout): Fact[] {
  const channelId = channel.id;
  const links: Fact[] = [
    [
      'Channel',
      <Link key="channel" to="/projects/$projectId/channels/$channelId" params={{ projectId, channelId }}>
        {channel.name}
      </Link>,
    ],
    classFact(projectId, classId),
    ['Bundle', <BundleLink key="bundle" {...{ projectId, bundle }} />],
  ];
  if (rollsBack !== undefined)
    links.push([
      'Rolls back',
      <Link
        key="back"
        to="/projects/$projectId/channels/$channelId/rollouts/$rolloutId"
        params={{ projectId, channelId, rolloutId: rollsBack }}
      >
        <span dir="auto">
          {bundle.name} → {fromBundle?.name ?? 'nothing'}
        </span>
      </Link>,
    ]);
  return links;
}

function paceFacts(rollout: Rollout): Fact[] {
  const { rate, delayS, soakS, counts, createdBy, createdAt, startedAt, leavesOutDowngrades } = rollout;
  const facts: (Fact | false)[] = [
    ['Pace', rate === null ? 'no limit' : `${numberText(rate)} devices per minute`],
    delayS > 0 && ['Delay', `up to ${secondsText(delayS)}, random for each device`],
    ['Soak', secondsText(soakS)],
    leavesOutDowngrades && ['Downgrades', 'left out'],
    counts.left > 0 && ['Left', `${numberText(counts.left)}, pinned or moved since`],
    [
      startedAt ? 'Started' : 'Created',
      <span key="by" dir="auto">
        {createdBy ? `by ${createdBy.name}, ` : ''}
        {momentText(startedAt ?? createdAt)}
      </span>,
    ],
  ];
  return facts.filter(fact => fact !== false);
}

function Changes({ from, to }: { from: Bundle | undefined; to: Bundle | undefined }) {
  if (!to) return <>…</>;
  const before = new Map(from?.components.map(one => [one.componentId, one.versionName]));
  const changed = to.components.filter(one => before.get(one.componentId) !== one.versionName);
  if (changed.length === 0) return <>nothing</>;
  return (
    <span className={css.changes}>
      {changed.map(({ componentId, componentName, versionName }) => (
        <code key={componentId}>
          {componentName} {before.has(componentId) && `${before.get(componentId)} → `}
          {versionName}
        </code>
      ))}
    </span>
  );
}

function EditPace({ rollout, done }: { rollout: Rollout; done: () => void }) {
  const save = useCall(editRollout);
  const form = useForm({
    initial: paceOf(rollout),
    check: paceFaults,
    async submit(values) {
      const body = paceFrom(values);
      await save.mutateAsync({ params: { rolloutId: rollout.id }, body, ifMatch: rollout.revision });
      toast('Rollout saved');
      done();
    },
  });
  return (
    <form className={panelForm} onSubmit={form.onSubmit} noValidate>
      <FormError error={form.error} />
      <PaceFields form={form} />
      <PanelFooter saving={form.saving} onCancel={done} />
    </form>
  );
}
