import type { ReactNode } from 'react';
import type { CallFailed } from '#contract/client.ts';
import { ErrorState } from './ErrorState.tsx';
import { RefetchError } from './RefetchError.tsx';
import { Skeleton } from './Skeleton.tsx';

export interface ReadStateProps {
  read: { data: unknown; error: CallFailed | null; refetch: () => unknown; isFetching: boolean };
  /** What could not be shown: "The projects". */
  what: string;
  /** In the shape of the content to come. */
  skeleton?: ReactNode;
  /** True: also reports a failed refetch of what is on screen. */
  refetchError?: boolean;
}

/**
 * Replaces the content of a read: a skeleton while it is loading, the reason and a retry button after it has failed.
 */
export function ReadState({
  read: { data, error, refetch, isFetching },
  what,
  skeleton = <Skeleton lines={8} />,
  refetchError = false,
}: ReadStateProps) {
  if (data !== undefined) return refetchError ? <RefetchError error={error} /> : null;
  if (!error) return skeleton;
  return <ErrorState what={what} error={error} onRetry={() => void refetch()} retrying={isFetching} />;
}
