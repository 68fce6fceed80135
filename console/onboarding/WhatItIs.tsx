import type { ReactNode } from 'react';

/** What a newcomer is to know before anything else; `children` says where one stands. */
export function WhatItIs({ children }: { children: ReactNode }) {
  return (
    <>
      <p>
        Mooring connects what you make. A <b>project</b> is one product: its devices, the firmware they run,
        the apps people use, and the people.
      </p>
      <p>{children}</p>
    </>
  );
}
