import type { Stream } from './stream.ts';

const none: ReadonlySet<Stream> = new Set();

/** The open streams, by user and by home. */
export class StreamIndex {
  readonly all = new Set<Stream>();
  readonly #byHome = new Map<string, Set<Stream>>();
  readonly #byUser = new Map<string, Set<Stream>>();
  readonly #byProject = new Map<string, Set<Stream>>();

  get projectIds(): string[] {
    return [...this.#byProject.keys()];
  }

  ofHome(homeId: string): ReadonlySet<Stream> {
    return this.#byHome.get(homeId) ?? none;
  }

  ofUser(userId: string): ReadonlySet<Stream> {
    return this.#byUser.get(userId) ?? none;
  }

  add(stream: Stream): void {
    this.all.add(stream);
    put(this.#byUser, stream.listener.userId, stream);
    put(this.#byProject, stream.listener.projectId, stream);
  }

  remove(stream: Stream): void {
    this.all.delete(stream);
    take(this.#byUser, stream.listener.userId, stream);
    take(this.#byProject, stream.listener.projectId, stream);
    for (const homeId of stream.homes) take(this.#byHome, homeId, stream);
  }

  addHome(stream: Stream, homeId: string): void {
    stream.homes.add(homeId);
    put(this.#byHome, homeId, stream);
  }

  removeHome(stream: Stream, homeId: string): void {
    stream.homes.delete(homeId);
    take(this.#byHome, homeId, stream);
  }
}

function put(map: Map<string, Set<Stream>>, key: string, stream: Stream): void {
  const set = map.get(key);
  if (set) set.add(stream);
  else map.set(key, new Set([stream]));
}

function take(map: Map<string, Set<Stream>>, key: string, stream: Stream): void {
  const set = map.get(key);
  set?.delete(stream);
  if (set?.size === 0) map.delete(key);
}
