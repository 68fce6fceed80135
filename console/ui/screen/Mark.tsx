/** A mooring bollard with a turn of rope. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect x="5.4" y="2.6" width="16" height="4.6" rx="2.3" />
      <path d="M9.8 7.4v2.9M17 7.4v2.9M9.8 16.6v4M17 16.6v4M8 21h10.8" />
      <path d="M2 12.7l6.6-1.5c1.7-.4 3.2-.7 4.8-.7 3.7 0 6.1 1.1 6.1 3s-2.4 3-6.2 3c-3.4 0-6-.8-6.4-2.3" />
    </svg>
  );
}
