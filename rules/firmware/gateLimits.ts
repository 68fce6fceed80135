/** The z of the Wilson interval: 99 % two-sided. */
export const gateZ = 2.576;
/** With fewer results, the gate of failures stays open. */
export const gateResultsMin = 5;
/** A step is settled when this percentage of the devices reached has a result. */
export const settledPercent = 95;
/** With a larger share of stalled devices, the rollout pauses. */
export const stalledPercent = 20;
