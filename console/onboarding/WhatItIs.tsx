import type { ReactNode } from 'react';

/** What a newcomer is to know before anything else; `children` says where one stands. */
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
