import { Link } from '@tanstack/react-router';

interface BundleLinkProps {
  projectId: string;
  bundle: { id: string; name: string; isDeleted?: boolean | undefined };
  className?: string | undefined;
}

/** A bundle by name; a link unless it has been deleted. */
export function BundleLink({
  projectId,
  bundle: { id: bundleId, name, isDeleted },
  className,
}: BundleLinkProps) {
  if (isDeleted)
    return (
      <span>
        <span dir="auto">{name}</span>, deleted since
      </span>
    );
  return (
    <Link to="/projects/$projectId/bundles/$bundleId" params={{ projectId, bundleId }} className={className}>
      <span dir="auto">{name}</span>
    </Link>
  );
}
