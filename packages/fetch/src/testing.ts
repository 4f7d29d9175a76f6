// A store or a transport → the tests of its contract (types.ts), for any test runner.
import { describe as nodeDescribe, test as nodeTest } from "node:test";
import { FetchError } from "./errors.ts";
import { type Checks, readOptions, texts } from "./options.ts";
import { historyCases, storeCases } from "./testing/store-cases.ts";
import { transportCases } from "./testing/transport-cases.ts";
import type { Awaitable, RobotsHistory, RobotsStore, Transport } from "./types.ts";

export { type CertificateOptions, createCertificate } from "./testing/certificate.ts";
export {
  type RawReply,
  type RawRequest,
  type RawServer,
  closedPort,
  responseOf,
  startRawServer,
} from "./testing/raw-server.ts";

/** The two functions of a test runner; those of node:test by default, vitest's and jest's fit as they are. */
export interface TestRunner {
  /** Groups the tests that `define` registers. */
  readonly describe: (name: string, define: () => void) => unknown;
  /** Registers a test, which fails when `run` rejects. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

const nodeRunner: TestRunner = {
  describe: (name, define) => void nodeDescribe(name, define),
  test: (name, run) => void nodeTest(name, run),
};

/**
 * Registers the contract of `RobotsStore`. `open` gives an empty store each time; each is closed after its test.
 */
export function testStore(name: string, open: () => Awaitable<RobotsStore>, runner: TestRunner = nodeRunner): void {
  runner.describe(`store: ${name}`, () => registerStoreCases(storeCases, open, runner));
}

/** Registers the contract of `RobotsHistory`, that of `RobotsStore` included. `open` is as for `testStore`. */
export function testHistory(name: string, open: () => Awaitable<RobotsHistory>, runner: TestRunner = nodeRunner): void {
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

/** Options of `testTransport`. */
export interface TransportTestOptions {
  /** Names of cases that the transport says it cannot satisfy. They are not registered. */
  readonly except?: readonly string[];
}

const transportChecks: Checks<TransportTestOptions> = { except: texts };

/**
 * Registers the contract of `Transport` for http. `open` gives a transport that may ask 127.0.0.1; each is closed after
 * its test. The servers run on loopback, on free ports. Throws `ERR_INVALID_OPTION` for an exception that is no case.
 */
export function testTransport(
  name: string,
  open: () => Awaitable<Transport>,
  runner: TestRunner = nodeRunner,
  options: TransportTestOptions = {},
): void {
  const { except = [] } = readOptions(options, transportChecks);
  const names: ReadonlySet<string> = new Set(transportCases.map(([what]) => what));
  for (const each of except) {
    if (!names.has(each)) throw new FetchError("ERR_INVALID_OPTION", `except: ${each} is not a case of the contract`);
  }
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
