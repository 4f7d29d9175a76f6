// Every row of the fault matrix that the lab can make, in one list sorted by number.
import type { FaultRow } from "./row.ts";
import { answerRows } from "./rows/answers.ts";
import { bodyRows } from "./rows/bodies.ts";
import { connectionRows } from "./rows/connections.ts";
import { framingRows } from "./rows/framing.ts";
import { nameRows } from "./rows/names.ts";
import { ownSideRows } from "./rows/own-side.ts";
import { redirectRows } from "./rows/redirects.ts";
import { tlsRows } from "./rows/tls.ts";

export const rows: readonly FaultRow[] = [
  ...answerRows,
  ...redirectRows,
  ...framingRows,
  ...bodyRows,
  ...connectionRows,
  ...nameRows,
  ...tlsRows,
  ...ownSideRows,
].toSorted((a, b) => a.id - b.id);
