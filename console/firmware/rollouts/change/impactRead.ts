import type { ReadStateProps } from '#console/ui/state/ReadState.tsx';
import type { ChannelImpact } from '#contract/channel.ts';

export type ImpactRead = ReadStateProps['read'] & { data: ChannelImpact | undefined };
