import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import {
  listSmartModuleTypes,
  readSmartModule,
  type SmartModule,
  type SmartModuleType,
} from '#contract/smartModule.ts';

const refetchMs = 15_000;

/** Reads what every screen of a module needs: the module and its type, or that it no longer exists. */
export function WithModule({
  children,
}: {
  children: (module: SmartModule, type: SmartModuleType) => ReactNode;
}) {
  const { projectId, moduleId } = useParams({ from: '/shell/projects/$projectId/smart_modules/$moduleId' });
  const read = useRead(readSmartModule, { params: { projectId, moduleId } }, { refetchInterval: refetchMs });
  const types = useRead(listSmartModuleTypes, { params: { projectId } });
  if (read.error?.reason === 'SMART_MODULE_NOT_FOUND')
    return <NotFound what={`Smart module ${moduleId} does not exist.`} />;
  const type = types.data?.find(({ id }) => id === read.data?.moduleType);
  if (!read.data || !type) return <ReadState read={read.data ? types : read} what="The smart module" />;
  return (
    <>
      <ReadState read={read} what="The smart module" refetchError />
      {children(read.data, type)}
    </>
  );
}
