import { useState } from 'react';
import { shared } from '#console/core/clientStorage.ts';

/**
 * Whether devices of the project report versions. This is known only after their rows are shown, from the request for
 * the strips. The browser remembers it, so that the column does not push the others aside on every visit.
 */
export function useFirmwareSeen(projectId: string) {
  const [seenIn, setSeenIn] = useState(() => shared.read(storageKey));
  const onFirmware = () => {
    setSeenIn(projectId);
    shared.write(storageKey, projectId);
  };
  return { hasFirmware: seenIn === projectId, onFirmware };
}

const storageKey = 'project with firmware';
