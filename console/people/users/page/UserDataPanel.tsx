import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { binarySize } from '#console/firmware/firmwareWords.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { type Home, homesOfUserMax, listHomes } from '#contract/home.ts';
import { exportUser, readUserExport, type User } from '#contract/user.ts';
import css from './userPage.module.css';

interface UserDataPanelProps {
  user: User;
  onErase: () => void;
}

/** What the law entitles a person to: an export of everything stored about them, and its erasure. */
export function UserDataPanel({ user: { id: userId, projectId }, onErase }: UserDataPanelProps) {
  const [{ export: exportId }, change] = useUrlState();
  const start = useCall(exportUser);
  const owned = useOwnedHomes(userId);
  const begin = () =>
    start.mutate(
      { params: { userId } },
      { onSuccess: ({ id }) => change({ export: id }, { replace: true }) },
    );
  return (
    <Panel title="Data">
      <div className={css.data}>
        <p className={css.quiet}>Everything about this user, including events of devices they own.</p>
        <FormError error={start.error} />
        <div className={css.buttons}>
          <Button busy={start.isPending} onClick={begin}>
            Export
          </Button>
          {/* It asks about the homes first, so it destroys nothing yet. */}
          <Button className={owned.length === 0 ? css.erase : undefined} onClick={onErase}>
            Delete user
          </Button>
        </div>
        {exportId && <ExportProgress userId={userId} exportId={exportId} />}
        <InTheWay projectId={projectId} owned={owned} />
      </div>
    </Panel>
  );
}

const askAgainMs = 1_000;

/** The progress of an export. Its id is in the address: it continues when the page is left, and is found again. */
function ExportProgress({ userId, exportId }: { userId: string; exportId: string }) {
  const { data, error } = useRead(
    readUserExport,
    { params: { userId, exportId } },
    { refetchInterval: last => (last === undefined || last.state === 'running' ? askAgainMs : false) },
  );
  if (!data) return <FormError error={error} />;
  if (data.state === 'running') return <Progress label="Collecting the data" part={undefined} />;
  if (data.state === 'failed')
    return <Progress label="The export failed. Try again." part={1} tone="danger" />;
  return (
    <div className={css.ready} role="status">
      <p className={css.small}>
        Ready{data.sizeBytes !== undefined && `, ${binarySize(data.sizeBytes)}`}. The file is kept for 7 days.
      </p>
      {data.url && (
        <a className={buttonClass('plain')} href={data.url} download>
          Download
        </a>
      )}
    </div>
  );
}

const namedMax = 3;

function useOwnedHomes(userId: string): readonly Home[] {
  const { data } = useRead(listHomes, { query: { userId, limit: homesOfUserMax } });
  return data?.items.filter(({ owner }) => owner.id === userId) ?? [];
}

/** The homes that have to be transferred, or deleted as well, before the user can be erased. */
function InTheWay({ projectId, owned }: { projectId: string; owned: readonly Home[] }) {
  if (owned.length === 0) return null;
  const more = owned.length - namedMax;
  return (
    <p className={css.small}>
      Before this user can be deleted, transfer or delete{' '}
      {owned.slice(0, namedMax).map(({ id: homeId, name }, at) => (
        <Fragment key={homeId}>
          {at > 0 && ', '}
          <Link to="/projects/$projectId/homes/$homeId" params={{ projectId, homeId }} dir="auto">
            {name}
          </Link>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}.
    </p>
  );
}
