import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Handing, markHanded, toDesiredChange } from './store.ts';

const itemsMax = 500;

/** Records when devices were sent their desired state, and when they acknowledged it. */
export class HandedChanges {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #handings: GroupCommit<Handing, undefined>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>, liveEvents: LiveEvents) {
    this.#platform = platform;
    this.#handings = new GroupCommit({
      name: 'changes handed',
      run: async handings => {
        for (const row of await markHanded(platform.db, handings))
          liveEvents.publish(
            { projectId: row.projectId, id: row.deviceId },
            'desiredChange',
            toDesiredChange(row),
          );
        return handings.map(() => undefined);
      },
      itemsMax,
      patient: true,
    });
  }

  note(device: { projectId: string; id: string }, version: number, what: Handing['what']): void {
    const { projectId, id: deviceId } = device;
    const handing = { projectId, deviceId, version, what, at: this.#platform.clock() };
    // Only shown to developers: nothing else depends on it, so an error is only logged.
    this.#handings
      .add(handing)
      .catch(error =>
        this.#platform.log('warn', 'It could not be noted that a change was sent', { error: String(error) }),
      );
  }

  stop(): Promise<void> {
    return this.#handings.stop();
  }
}
