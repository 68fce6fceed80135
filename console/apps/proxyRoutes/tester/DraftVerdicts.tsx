import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { bodyOf, faultsOf, type RouteValues } from '#console/apps/proxyRoutes/routeForm.ts';
import { useProxyTest } from './useProxyTest.ts';
import { useSubject } from './useSubject.ts';
import { Verdicts } from './Verdicts.tsx';

interface DraftVerdictsProps {
  projectId: string;
  values: RouteValues;
  /** The saved route that is being edited. */
  routeId?: string;
}

/** Which route would take a call of the path being typed, before the route is saved. */
export function DraftVerdicts({ projectId, values, routeId }: DraftVerdictsProps) {
  const { resource } = values;
  const draft = bodyOf(values);
  const { subject, isComplete } = useSubject(projectId, resource);
  const isFit = Object.keys(faultsOf(values)).length === 0;
  const test = useProxyTest(
    {
      projectId,
      resource,
      method: 'GET',
      path: draft.sourcePath,
      draft,
      ...subject,
      ...(routeId !== undefined && { draftOf: routeId }),
    },
    isFit && isComplete,
  );
  if (!isFit || !test.data) return null;
  return (
    <section className={css.draft} aria-label="Which route would handle it">
      <h3>
        A call of <code>{draft.sourcePath}</code> would go
      </h3>
      <Verdicts test={test.data} projectId={projectId} />
    </section>
  );
}
