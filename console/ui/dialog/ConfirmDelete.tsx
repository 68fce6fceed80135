import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { leavingItem } from '#console/core/leavingProject.ts';
import { CallFailed, type Input, pathOf } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Confirm } from './Confirm.tsx';
import { toast } from './Toast.tsx';
import { useIsOnScreen } from './useIsOnScreen.ts';

export interface ConfirmDeleteProps<E extends Endpoint> {
  /** "device class" */
  noun: string;
  endpoint: E;
  input: Input<E>;
  /** The list that contained the item. */
  leaveTo: NavigateOptions;
  onClose: () => void;
  /** Called if the server refuses; the reason is shown in any case. */
  onRefused?: (error: CallFailed) => void;
  children: ReactNode;
}

/** Asks before the item on screen is deleted. Leaves the screen first, as the item can no longer be read. */
export function ConfirmDelete<E extends Endpoint>(props: ConfirmDeleteProps<E>) {
  const { noun, endpoint, input, leaveTo, onClose, onRefused, children } = props;
  const navigate = useNavigate();
  const isOnScreen = useIsOnScreen();
  const submit = useSubmit();
  async function remove() {
    const { params = {} } = input as { params?: Record<string, string> };
    try {
      await leavingItem(pathOf(endpoint, params), async () => {
        await submit(endpoint, input);
        if (isOnScreen()) await navigate({ ...leaveTo, replace: true });
      });
    } catch (error) {
      if (error instanceof CallFailed) onRefused?.(error);
      throw error;
    } finally {
      void invalidate(endpoint, params);
    }
    toast(`${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted`);
  }
  return (
    <Confirm title={`Delete ${noun}`} verb={`Delete ${noun}`} onConfirm={remove} onClose={onClose}>
      {children}
    </Confirm>
  );
}
