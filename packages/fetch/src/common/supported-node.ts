// This module throws when a Node that is not supported imports it. Entry points import it first, before anything that such a Node lacks.
import { FetchError } from "./errors.ts";
import { oldNodeMessage } from "./node-version.ts";

const message = oldNodeMessage(process.versions);
if (message !== undefined) throw new FetchError("ERR_UNSUPPORTED_NODE", `robots-stream: ${message}`);
