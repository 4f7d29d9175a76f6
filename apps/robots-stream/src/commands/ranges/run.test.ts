// The command `ranges`: lists are imported, shown, and fetched from a server on loopback.
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { createCertificate } from "@robots-stream/raw-servers";
import { rangeFiles } from "@robots-stream/verify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { networkSettingsOf } from "../../cli/network/flags.ts";
import { storedRangesIn, storeRanges, textOfStored } from "../../cli/verify/range-folder.ts";
import { updateRanges } from "./update.ts";
import { makeFolder } from "../../../test/folder.ts";
import { runHere } from "../../../test/here.ts";
import { portOf } from "../../../test/servers.ts";

const folder = makeFolder();

const google = '{"creationTime":"2026-11-20T15:46:05.000000","prefixes":[{"ipv4Prefix":"66.249.64.0/19"}]}';

const run = (argv: readonly string[], input?: string): ReturnType<typeof runHere> =>
  runHere(["ranges", ...argv], input);

describe("lists from files", () => {
  test("are imported with their date, and shown", async () => {
    const at = join(folder, "imported");
    const path = join(folder, "common-crawlers.json");
    writeFileSync(path, google);
    expect(await run(["import", "google-common", path, "--ranges", at])).toMatchObject({ code: 0 });
    expect(
      await run(["import", "openai-gptbot", "--ranges", at, "--at", "2026-11-21"], "20.171.206.0/24\nx\n"),
    ).toEqual({
      code: 0,
      stdout: "",
      stderr: "robots-stream: openai-gptbot: 1 prefix, 1 entry not readable\n",
    });
    expect((await run(["show", "--ranges", at])).stdout).toBe(
      "google-common  2026-11-20T15:46:05Z  1 prefix  Googlebot, Googlebot-Image, Googlebot-Video …\n" +
        "openai-gptbot  2026-11-21T00:00:00Z  1 prefix, 1 not readable  GPTBot\n",
    );
    const { code, stdout } = await run(["show", "openai-gptbot", "bingbot", "--ranges", at, "--output", "ndjson"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ name: "openai-gptbot", agents: ["GPTBot"], created: null, versions: 1 });
  });

  test("show ends with exit code 1 if a named list is not stored, even if every list is named", async () => {
    const at = join(folder, "one");
    storeRanges(at, "bingbot", google, Date.UTC(2026, 10, 1));
    const shown = await Promise.all(
      [[], ["bingbot"], rangeFiles.map(({ name }) => name)].map((names) => run(["show", ...names, "--ranges", at])),
    );
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 1]);
    expect(shown.map(({ stdout }) => stdout.slice(0, 7))).toEqual(["bingbot", "bingbot", "bingbot"]);
  });

  test.each<[what: string, argv: readonly string[], input: string, code: number, message: RegExp]>([
    ["no action", [], "", 2, /name an action/],
    ["another action", ["updat"], "", 2, /did you mean ranges update/],
    ["an unknown list", ["show", "gogle-common"], "", 2, /did you mean google-common/],
    ["nothing to import", ["import"], "", 2, /name a list and a file/],
    ["no date", ["import", "bingbot"], "157.55.39.0/24", 2, /--at 2026-11-21/],
    ["no ranges", ["import", "bingbot", "--at", "2026-11-21"], "<html>", 2, /no prefix that can be used/],
    ["too much", ["import", "bingbot", "--at", "2026-11-21"], "1.1.1.1\n".repeat(1_200_000), 2, /is longer than/],
    ["a flag of another action", ["update", "--at", "2026-11-21"], "", 2, /has no flag --at/],
    ["no folder", ["show", "--cache", "none"], "", 2, /--ranges DIR/],
  ])("%s", async (_what, argv, input, code, message) => {
    const ended = await run(argv.includes("--cache") ? argv : [...argv, "--ranges", join(folder, "none")], input);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
  });

  test("of consecutive equal versions, the first and the last are kept", () => {
    const at = join(folder, "versions");
    for (const [day, body] of ["a", "a", "a", "b", "a"].entries())
      storeRanges(at, "bingbot", body, Date.UTC(2026, 10, 1 + day));
    const found = storedRangesIn(at).map((stored) => [
      new Date(stored.fetchedAtMs!).getUTCDate(),
      textOfStored(stored),
    ]);
    expect(found).toEqual([
      [5, "a"],
      [4, "b"],
      [3, "a"],
      [1, "a"],
    ]);
    expect(readdirSync(at).every((name) => /^bingbot@2026-11-0\dT00-00-00Z\.json$/.test(name))).toBe(true);
  });
});

describe("lists from the network", () => {
  const { key, cert } = createCertificate();
  const servers: Server[] = [];
  let origin: string;
  beforeAll(async () => {
    const server = createServer({ key, cert }, (request, response) => {
      if (request.url === "/moved.json") response.writeHead(302, { location: "http://127.0.0.1:1/x.json" }).end();
      else if (request.url === "/gone.json") response.writeHead(404).end();
      else if (request.url === "/page.json") response.end("<html>");
      else response.end(google);
    });
    servers.push(server);
    origin = `https://127.0.0.1:${await portOf(server)}`;
    writeFileSync(join(folder, "ca.pem"), cert);
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function update(
    names: readonly string[],
    allowPrivate: boolean,
  ): Promise<{ readonly code: number; readonly said: readonly string[]; readonly stored: readonly string[] }> {
    const at = mkdtempSync(join(folder, "update-"));
    const said: string[] = [];
    const network = { ...networkSettingsOf(new Map()), allowPrivate, caPath: join(folder, "ca.pem"), proxy: "none" };
    const lists = names.map((name) => ({ name, url: `${origin}/${name}.json` }));
    const surroundings = { env: {}, say: (sentence: string) => void said.push(sentence) };
    const code = await updateRanges({ lists, network }, at, surroundings);
    return { code, said: said.toSorted(), stored: storedRangesIn(at).map(({ name }) => name) };
  }

  test("valid lists are stored; invalid lists are reported and do not affect the others", async () => {
    const { code, said, stored } = await update(["google-common", "gone", "page", "moved"], true);
    expect(code).toBe(3);
    expect(stored).toEqual(["google-common"]);
    expect(said).toEqual([
      "3 of 4 lists could not be fetched; their stored versions are still used",
      "gone: the server answered 404",
      "google-common: 1 prefix, of 2026-11-20",
      expect.stringMatching(/^moved: /),
      "page: has no prefix that can be used",
    ]);
  });

  test("without --allow-private, a list at a private address is not fetched", async () => {
    const { code, said, stored } = await update(["google-common"], false);
    expect({ code, stored }).toEqual({ code: 3, stored: [] });
    expect(said.join()).toMatch(/address-refused|loopback/);
  });
});
