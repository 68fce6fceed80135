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
  /** Shown beside the word: the progress. */
  detail?: string | undefined;
  shape?: 'pill' | 'plain';
}

/** The state of a version on its way to devices. */
export function VersionPill({ state, detail, shape = 'plain' }: VersionPillProps) {
  return <StatePill shape={shape} {...words[state]} {...(detail && { detail })} />;
}
