import type { LinkProps } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { stateOf, typeWords } from '#console/modules/moduleTypes.tsx';
import { useFigures } from '#console/modules/runs/RunsView.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { Tabs } from '#console/ui/screen/Tabs.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import {
  deleteSmartModule,
  editSmartModule,
  type SmartModule,
  type SmartModuleType,
} from '#contract/smartModule.ts';
import { DeleteModule } from './DeleteModule.tsx';
import { ModuleBands } from './ModuleBands.tsx';
import { moduleTabs } from './moduleTabs.ts';
import css from './page.module.css';

interface ModuleFrameProps {
  module: SmartModule;
  type: SmartModuleType;
  /** Shown left of the menu. */
  actions?: ReactNode;
  children: ReactNode;
  side?: ReactNode;
}

/** The head, tabs and bands of a module, around the content of one tab. */
export function ModuleFrame({ module, type, actions, children, side }: ModuleFrameProps) {
  const [doing, setDoing] = useState<'suspend' | 'delete'>();
  const close = () => setDoing(undefined);
  const may = useMay(editSmartModule);
  const mayDelete = useMay(deleteSmartModule);
  const resume = useResume(module);
  const turn = module.suspended
    ? { label: 'Resume module', run: () => void resume.run() }
    : { label: 'Suspend module', run: () => setDoing('suspend') };
  const remove = { label: 'Delete module', run: () => setDoing('delete') };
  useActions([...(may ? [turn] : []), ...(mayDelete ? [remove] : [])]);
  const { icon: Icon } = typeWords[type.id];
  const failingSince = useFigures(module).data?.failingSince;
  const now = useNow();
  const at = module.suspendedAt ?? module.parkedAt;
  return (
    <DetailScreen
      name={module.id}
      state={
        <>
          <span className={css.type}>
            <Icon size={14} /> {type.name}
          </span>
          <StatePill {...stateOf(module.state, failingSince, now)} detail={at && <TimeAgo time={at} />} />
        </>
      }
      actions={actions}
      {...(may && { menu: [turn, ...(mayDelete ? [{ ...remove, danger: true }] : [])] })}
      tabs={<Tabs label="Smart module" tabs={tabLinks(module, type)} />}
      above={<ModuleBands module={module} resume={resume} may={may} />}
      side={side}
    >
      {children}
      {doing === 'suspend' && <SuspendModule module={module} onClose={close} />}
      {doing === 'delete' && <DeleteModule module={module} onClose={close} />}
    </DetailScreen>
  );
}

function tabLinks({ projectId, id: moduleId }: SmartModule, type: SmartModuleType) {
  return moduleTabs(type).map(({ label, path }) => ({
    label,
    to: `/projects/$projectId/smart_modules/$moduleId${path}`,
    params: { projectId, moduleId },
  })) as (LinkProps & { label: string })[];
}

export type Resume = ReturnType<typeof useResume>;

function useResume({ projectId, id: moduleId, revision }: SmartModule) {
  const edit = useCall(editSmartModule, { onDone: () => toast('Smart module resumed') });
  const params = { projectId, moduleId };
  return {
    busy: edit.isPending,
    error: edit.error,
    run: () => edit.mutate({ params, body: { suspended: false }, ifMatch: revision }),
  };
}

function SuspendModule({ module, onClose }: { module: SmartModule; onClose: () => void }) {
  const { projectId, id: moduleId } = module;
  const edit = useCall(editSmartModule, { onDone: () => toast('Smart module suspended') });
  return (
    <Confirm
      title={`Suspend ${moduleId}?`}
      verb="Suspend module"
      onConfirm={() => edit.mutateAsync({ params: { projectId, moduleId }, body: { suspended: true } })}
      onClose={onClose}
    >
      <p>It receives no events until it is resumed, and waiting runs are discarded.</p>
    </Confirm>
  );
}
