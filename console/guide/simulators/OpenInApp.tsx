import { Button } from '#console/ui/Button.tsx';
import { WindowIcon } from '#console/ui/icons/icons.tsx';
import { useAnyApp } from './useAnyApp.ts';
import { useAppSimulator } from './useAppSimulator.ts';

interface OpenInAppProps {
  projectId: string;
  /** Undefined: any app of the project. */
  appId?: string | undefined;
  /** The e-mail address of the user who is about to sign in. */
  email?: string | undefined;
  /** The home that opens first. */
  homeId?: string | undefined;
}

/** Opens the app simulator at what is on screen here, as its users see it. */
export function OpenInApp({ projectId, appId, email, homeId }: OpenInAppProps) {
  const any = useAnyApp(projectId, appId === undefined);
  const { open, opening } = useAppSimulator();
  const opened = appId ?? any?.id;
  if (appId === undefined && any === null) return null;
  return (
    <Button
      icon={<WindowIcon />}
      busy={opening}
      // Disabled until the app is known, so that nothing moves when it is.
      disabled={opened === undefined}
      onClick={() => opened !== undefined && void open(opened, undefined, { email, homeId })}
    >
      Open in app
    </Button>
  );
}
