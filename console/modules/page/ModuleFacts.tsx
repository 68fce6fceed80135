import { Link } from '@tanstack/react-router';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { SmartModule, SmartModuleType } from '#contract/smartModule.ts';

/** What a module listens to and which data it uses, read-only. */
export function ModuleFacts({ module, type }: { module: SmartModule; type: SmartModuleType }) {
  const { projectId, subscribedEvents, deviceClasses, bulkDataLabel, dataSourceModules } = module;
  return (
    <Panel title="About">
      <Facts
        facts={[
          ...(module.description
            ? [
                [
                  'Description',
                  <span key="d" dir="auto">
                    {module.description}
                  </span>,
                ] as const,
              ]
            : []),
          ...(type.takesEvents
            ? [
                ['Events', <code key="e">{subscribedEvents.join(' ') || 'none'}</code>] as const,
                ['Classes', deviceClasses.join(', ') || 'all'] as const,
              ]
            : []),
          ...(bulkDataLabel ? [['Data label', <code key="l">{bulkDataLabel}</code>] as const] : []),
          ...(dataSourceModules.length > 0
            ? [
                [
                  'Data from',
                  dataSourceModules.map(moduleId => (
                    <Link
                      key={moduleId}
                      to="/projects/$projectId/smart_modules/$moduleId"
                      params={{ projectId, moduleId }}
                    >
                      {moduleId}{' '}
                    </Link>
                  )),
                ] as const,
              ]
            : []),
          ['Created', <TimeAgo key="c" time={module.createdAt} />],
          [
            'Created by',
            <span key="b" dir="auto">
              {module.createdBy}
            </span>,
          ],
          ['Changed', <TimeAgo key="ch" time={module.changedAt} />],
        ]}
      />
    </Panel>
  );
}
