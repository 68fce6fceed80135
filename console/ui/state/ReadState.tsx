import type { ReactNode } from 'react';
import type { CallFailed } from '#contract/client.ts';
import { ErrorState } from './ErrorState.tsx';
import { RefetchError } from './RefetchError.tsx';
import { Skeleton } from './Skeleton.tsx';

export interface ReadStateProps {
  read: { data: unknown; error: CallFailed | null; refetch: () => unknown; isFetching: boolean };
  /** What could not be shown: "The projects". */
  what: string;
  /** Of the same shape as what will be there. */
  skeleton?: ReactNode;
  /** True: also says that what is on screen could not be read again. */
  refetchError?: boolean;
}

/** What stands in the place of a read's answer: a skeleton while it is on its way, the reason and a retry once it failed. */
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
