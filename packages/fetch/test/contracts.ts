// Registers the tests of the contract (types.ts) of a store or a transport.
import type { Awaitable, RobotsHistory, RobotsStore, Transport } from "../src/common/types.ts";
import { historyCases, storeCases } from "./contracts/store-cases.ts";
import { transportCases } from "./contracts/transport-cases.ts";

/** The two functions of a test runner: those of vitest. */
interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

/** Registers the tests of the contract of `RobotsStore`. `open` returns a new empty store each time; the store is closed after its test. */
export function testStore(name: string, open: () => Awaitable<RobotsStore>, runner: TestRunner): void {
  runner.describe(`store: ${name}`, () => registerStoreCases(storeCases, open, runner));
}

/** Registers the tests of the contracts of `RobotsHistory` and `RobotsStore`. `open` is as for `testStore`. */
export function testHistory(name: string, open: () => Awaitable<RobotsHistory>, runner: TestRunner): void {
  runner.describe(`store with history: ${name}`, () => {
    registerStoreCases(storeCases, open, runner);
    registerStoreCases(historyCases, open, runner);
  });
}

function registerStoreCases<Store extends RobotsStore>(
  cases: readonly (readonly [what: string, run: (store: Store) => Promise<void>])[],
  open: () => Awaitable<Store>,
  runner: TestRunner,
): void {
  for (const [what, run] of cases) {
    runner.test(what, async () => {
      const store = await open();
      try {
        await run(store);
      } finally {
        await store.close?.();
      }
    });
  }
}

/**
 * Registers the tests of the contract of `Transport` for http. `open` returns a new transport that may connect to 127.0.0.1; the transport
 * is closed after its test. The servers run on free ports of loopback. `except` names the cases that the transport is known not to satisfy,
 * which are not registered; throws for any other name.
 */
export function testTransport(
  name: string,
  open: () => Awaitable<Transport>,
  runner: TestRunner,
  except: readonly string[] = [],
): void {
  const names: ReadonlySet<string> = new Set(transportCases.map(([what]) => what));
  for (const each of except) if (!names.has(each)) throw new Error(`${each} is not a case of the contract`);
  runner.describe(`transport: ${name}`, () => {
    for (const [what, run] of transportCases) {
      if (except.includes(what)) continue;
      runner.test(what, async () => {
        const transport = await open();
        try {
          await run(transport);
        } finally {
          await transport.close?.();
        }
      });
    }
  });
}
