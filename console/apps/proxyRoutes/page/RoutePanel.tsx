import { filterText, hasRoles, resourceWords, rolesText } from '#console/apps/proxyRoutes/routeWords.ts';
import { Breakable } from '#console/ui/Breakable.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type ProxyRoute, proxyPrefixes } from '#contract/proxyRoute.ts';

export function RoutePanel({ route }: { route: ProxyRoute }) {
  const { resource, sourcePath, targetUrl, description, webSocket, createdAt, createdBy } = route;
  return (
    <Panel title="Route">
      <Facts
        facts={[
          ['Resource', resourceWords[resource].label],
          [
            'Called at',
            <code key="prefix">
              <Breakable text={`${proxyPrefixes[resource]}${sourcePath === '/' ? '' : sourcePath}`} />
            </code>,
          ],
          ['Target', <CopyText key="target" text={targetUrl} wrap label="Copy target" />],
          ['For', filterText(route)],
          ...(hasRoles(resource) ? ([['Members', rolesText(route)]] as const) : []),
          ['WebSocket', webSocket ? 'allowed' : 'refused'],
          ...(description
            ? ([
                [
                  'Description',
                  <span key="d" dir="auto">
                    {description}
                  </span>,
                ],
              ] as const)
            : []),
          [
            'Created',
            <span key="created">
              <TimeAgo time={createdAt} /> by <span dir="auto">{createdBy}</span>
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}
