// Makes one source of robots.txt files usable by several tables of origins: an origin that two tables need at the same time is loaded once.
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";

/**
 * Maximum number of tables that are notified when the number of loads that wait for a server changes. Earlier tables are not notified,
 * because they have few loads left.
 */
const mostTables = 2;

/** Creates the source that tables share. The caller closes the source itself. */
export function createSharedSource(source: RobotsSource): RobotsSource {
  if (!source.isRemote) return source;
  const loading = new Map<string, Promise<SourcedRobots>>();
  const listeners: ((loads: number) => void)[] = [];
  return {
    isRemote: true,
    onWaiting(listener) {
      if (source.onWaiting === undefined) return;
      if (listeners.length === 0) source.onWaiting((loads) => listeners.forEach((each) => each(loads)));
      // A listener keeps its table in memory.
      if (listeners.length === mostTables) listeners.shift();
      listeners.push(listener);
    },
    load(origin, signal) {
      const known = loading.get(origin);
      if (known !== undefined) return known;
      const loaded = source.load(origin, signal);
      if (!(loaded instanceof Promise)) return loaded;
      loading.set(origin, loaded);
      const end = (): void => void loading.delete(origin);
      loaded.then(end, end);
      return loaded;
    },
    close: () => undefined,
  };
}
