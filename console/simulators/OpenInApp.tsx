import { Button } from '#console/ui/Button.tsx';
import { WindowIcon } from '#console/ui/icons/icons.tsx';
import { useAnyApp } from './useAnyApp.ts';
import { useAppSimulator } from './useAppSimulator.ts';

interface OpenInAppProps {
  projectId: string;
  /** Undefined: any app of the project. */
  appId?: string | undefined;
  /** Who is about to sign in there. */
  email?: string | undefined;
  /** What is opened first. */
  homeId?: string | undefined;
}

/** Opens the app simulator where its users see what is on screen here. */
export function OpenInApp({ projectId, appId, email, homeId }: OpenInAppProps) {
  const any = useAnyApp(projectId, appId === undefined);
  const { open, opening } = useAppSimulator();
  const opened = appId ?? any?.id;
  if (appId === undefined && any === null) return null;
  return (
    <Button
      icon={<WindowIcon />}
      busy={opening}
      // Until it is known what to open, so that nothing moves when it is.
      disabled={opened === undefined}
      onClick={() => opened !== undefined && void open(opened, undefined, { email, homeId })}
    >
      Open in app
    </Button>
  );
}
