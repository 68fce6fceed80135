import type { Finding } from '#contract/finding.ts';

/** The most urgent findings have a row; the others share a line. */
const rowsMax = 5;

/** What can wait never takes the place of what cannot. */
const isSmall = ({ signal, alerts }: Finding) =>
  signal === 'never' || signal === 'quarantine' || (signal === 'alert' && !alerts);

/** Which findings have a row, which share the line below, and how many are hidden. All have a row if asked for. */
export function findingRows(all: readonly Finding[], isWhole: boolean) {
  const visible = all.filter(({ isHidden }) => !isHidden);
  const urgent = visible.filter(finding => !isSmall(finding));
  const rows = isWhole ? all : urgent.slice(0, rowsMax);
  return {
    rows,
    rest: visible.filter(finding => !rows.includes(finding)),
    visible: visible.length,
    urgent: urgent.length,
    hidden: isWhole ? 0 : all.length - visible.length,
  };
}
