import { StatePill, type Tone } from '#console/ui/state/StatePill.tsx';
import type { VersionState } from '#contract/component.ts';

const words: Record<VersionState, { tone: Tone; word: string }> = {
  empty: { tone: 'never', word: 'No file' },
  uploading: { tone: 'busy', word: 'Uploading' },
  verifying: { tone: 'busy', word: 'Verifying' },
  ready: { tone: 'ok', word: 'Ready' },
  failed: { tone: 'danger', word: 'Failed' },
};

interface VersionPillProps {
  state: VersionState;
  /** Beside the word: how far it is. */
  detail?: string | undefined;
  shape?: 'pill' | 'plain';
}

/** How far a version is on its way to devices. */
export function VersionPill({ state, detail, shape = 'plain' }: VersionPillProps) {
  return <StatePill shape={shape} {...words[state]} {...(detail && { detail })} />;
}
