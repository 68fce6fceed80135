import { minuteMs } from '#rules/time/durations.ts';
import { runs, type UpdateContext } from './updateContext.ts';
import { UpdateFault } from './updateFault.ts';
import type { Pending } from './updateMemory.ts';

/** A new version that is not confirmed within this time is reverted. */
const trialMs = 5 * minuteMs;
const retryMs = 1_000;

/**
 * After a start: finishes an update that was being installed, by confirming or reverting it. A download continues
 * later.
 */
export async function recover(context: UpdateContext): Promise<void> {
  const { pending } = context.memory;
  if (!pending || pending.stage === 'download') return;
  if (await context.options.parts.bootedNew()) await proveItself(context, pending);
  else if (pending.stage === 'install') {
    // Interrupted before the new version could start: the download is verified and installed again.
    pending.stage = 'download';
    await context.save();
  } else await rolledBack(context, pending);
}

/** TRIAL, then CONFIRM, or back to the old version. */
async function proveItself(context: UpdateContext, pending: Pending): Promise<void> {
  const { parts } = context.options;
  pending.stage = 'trial';
  // From here on, a power cut ends the trial, whether or not this is stored.
  await context.saveIfPossible();
  const { sequence, target } = pending;
  void context.report({ state: 'confirming', sequence });
  const watchdog = new AbortController();
  const tooLate = context.wait(trialMs, watchdog.signal).then(() => {
    throw new UpdateFault('rolled_back', 'The new version did not reach the platform within 5 minutes.');
  });
  try {
    await Promise.race([pass(context, pending, watchdog.signal), tooLate]);
  } catch (error) {
    const code = error instanceof UpdateFault ? error.code : 'self_test_failed';
    pending.fault = { code, error: error instanceof Error ? error.message : String(error) };
    await context.saveIfPossible();
    await parts.revert();
    // The device has restarted by now, unless it is a simulator.
    return rolledBack(context, pending);
  } finally {
    tooLate.catch(() => undefined);
    watchdog.abort();
  }
  await parts.confirm();
  await context.settle(target);
  await context.report({ state: 'done', percent: 100, sequence });
}

async function pass(
  { options, wait }: UpdateContext,
  { target }: Pending,
  signal: AbortSignal,
): Promise<void> {
  const { parts, device } = options;
  if ((await parts.selfTest?.()) === false)
    throw new UpdateFault('self_test_failed', 'The self-test of the new version failed.');
  const { bundleId, sequence } = target;
  const installed = { bundleId, sequence, components: target.components.map(runs) };
  // Resolves when the platform has acknowledged the report, which shows that the new version can connect.
  const isTaken = () =>
    device.reportInstalled(installed).then(
      () => true,
      () => false,
    );
  // A full outbox does not mean that the new version is bad.
  while (!(await isTaken())) await wait(retryMs, signal);
}

/** The old version is running: reports this, and never tries this target again. */
async function rolledBack(context: UpdateContext, { sequence, fault }: Pending): Promise<void> {
  const { code, error } = fault ?? {
    code: 'rolled_back',
    error: 'The new version did not start properly. The old version runs again.',
  };
  await context.report({ state: 'failed', sequence, code, error });
  await context.refuse(sequence, code);
}
