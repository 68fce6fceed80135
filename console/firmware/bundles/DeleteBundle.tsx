import { useRead } from '#console/core/api.ts';
import { DeleteUnused } from '#console/firmware/DeleteUnused.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { type Bundle, type BundleUse, deleteBundle, readBundleUse } from '#contract/bundle.ts';
import { ChannelLinks } from './BundleUsePanel.tsx';
import css from './bundles.module.css';

interface DeleteBundleProps {
  projectId: string;
  bundle: Bundle;
  onClose: () => void;
}

export function DeleteBundle({ projectId, bundle: { id: bundleId, name }, onClose }: DeleteBundleProps) {
  const { data: use } = useRead(readBundleUse, { params: { bundleId } });
  return (
    <DeleteUnused
      noun="bundle"
      name={name}
      endpoint={deleteBundle}
      input={{ params: { bundleId } }}
      leaveTo={{ to: '/projects/$projectId/bundles', params: { projectId } }}
      use={use && isUsed(use) ? use : undefined}
      usedBy={(known: Partial<BundleUse>) => <UsedBy projectId={projectId} use={known} />}
      onClose={onClose}
    >
      <p>
        Do you really want to delete bundle <b dir="auto">{name}</b>?
      </p>
      <p>Its versions are kept.</p>
    </DeleteUnused>
  );
}

function isUsed({ channels, rollouts, deviceCount, pinnedCount, updatingCount }: BundleUse): boolean {
  return channels.length + rollouts.length + deviceCount + pinnedCount + updatingCount > 0;
}

function UsedBy({ projectId, use }: { projectId: string; use: Partial<BundleUse> }) {
  const { channels = [], rollouts = [], deviceCount = 0, pinnedCount = 0, updatingCount = 0 } = use;
  const counted = [
    deviceCount > 0 && `${countOf(deviceCount, 'device')} ${deviceCount === 1 ? 'runs' : 'run'} it.`,
    pinnedCount > 0 && `${countOf(pinnedCount, 'device')} ${pinnedCount === 1 ? 'is' : 'are'} pinned to it.`,
    updatingCount > 0 &&
      `${countOf(updatingCount, 'device')} ${updatingCount === 1 ? 'is' : 'are'} updating to it.`,
    rollouts.length > 0 &&
      `${countOf(rollouts.length, 'unfinished rollout')} ${rollouts.length === 1 ? 'needs' : 'need'} it, as the new bundle or to roll back to.`,
  ].filter(Boolean);
  return (
    <div className={css.usedBy}>
      {channels.length > 0 && (
        <>
          <p>{channels.length === 1 ? 'This channel uses it:' : 'These channels use it:'}</p>
          <ChannelLinks projectId={projectId} channels={channels} />
        </>
      )}
      {counted.map(sentence => (
        <p key={String(sentence)}>{sentence}</p>
      ))}
    </div>
  );
}
