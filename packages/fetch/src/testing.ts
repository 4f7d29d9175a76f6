// Registers the tests of the contract (types.ts) of a store or a transport, with any test runner.
import "./supported-node.ts";
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

/**
 * The two functions of a test runner. By default, the functions of node:test are used; the functions of vitest and jest can be given
 * unchanged.
 */
export interface TestRunner {
  /** Groups the tests that `define` registers. */
  readonly describe: (name: string, define: () => void) => unknown;
  /** Registers a test. The test fails when `run` rejects. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

const nodeRunner: TestRunner = {
  describe: (name, define) => void nodeDescribe(name, define),
  test: (name, run) => void nodeTest(name, run),
};

/** Registers the tests of the contract of `RobotsStore`. `open` returns a new empty store each time; the store is closed after its test. */
export function testStore(name: string, open: () => Awaitable<RobotsStore>, runner: TestRunner = nodeRunner): void {
  runner.describe(`store: ${name}`, () => registerStoreCases(storeCases, open, runner));
}

/** Registers the tests of the contracts of `RobotsHistory` and `RobotsStore`. `open` is as for `testStore`. */
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
  /** Names of cases that the transport is known not to satisfy. They are not registered. */
  readonly except?: readonly string[];
}

const transportChecks: Checks<TransportTestOptions> = { except: texts };

/**
 * Registers the tests of the contract of `Transport` for http. `open` returns a new transport that may connect to 127.0.0.1; the transport
 * is closed after its test. The servers run on free ports of loopback. Throws `ERR_INVALID_OPTION` for an unknown name in `except`.
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
