import type { ReactNode } from 'react';

/** What a newcomer should know first; `children` says what the current screen is for. */
export function WhatItIs({ children }: { children: ReactNode }) {
  return (
    <>
      <p>
        Mooring connects your products. A <b>project</b> is one product: its devices, their firmware, the apps
        and the users.
      </p>
      <p>{children}</p>
    </>
  );
}
