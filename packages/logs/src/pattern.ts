// The pattern of a text log in the notation of its server in, its fields and the texts between them out: Apache's LogFormat and nginx's
// log_format.
import type { PatternField, PatternStep } from "./types.ts";

type FieldOrText = PatternField | " " | "[" | "]" | "-";

/** What Apache's directives are (mod_log_config, mod_logio), by letter, or by argument and letter. */
const apacheFields: Readonly<Record<string, readonly FieldOrText[]>> = {
  h: ["client"],
  a: ["client"],
  "c a": ["client"],
  v: ["host"],
  V: ["host"],
  // Ident is "-" on nearly all servers: a line with another one is for the parser.
  l: ["-"],
  u: ["user"],
  t: ["[", "time", "]"],
  r: ["method", " ", "target", " ", "protocol"],
  m: ["method"],
  H: ["protocol"],
  s: ["status"],
  b: ["bytes"],
  B: ["bytes"],
  O: ["bytes"],
  "referer i": ["referer"],
  "user-agent i": ["userAgent"],
};

/** What nginx's variables are (ngx_http_core_module, ngx_http_log_module). */
const nginxFields: Readonly<Record<string, readonly FieldOrText[]>> = {
  remote_addr: ["client"],
  host: ["host"],
  server_name: ["host"],
  http_host: ["host"],
  remote_user: ["user"],
  time_local: ["time"],
  request: ["method", " ", "target", " ", "protocol"],
  request_method: ["method"],
  request_uri: ["target"],
  server_protocol: ["protocol"],
  status: ["status"],
  body_bytes_sent: ["bytes"],
  bytes_sent: ["bytes"],
  http_referer: ["referer"],
  http_user_agent: ["userAgent"],
};

/** The texts inside of directives that stand for several parts. */
const texts: ReadonlySet<FieldOrText> = new Set<FieldOrText>([" ", "[", "]", "-"]);
const other: readonly FieldOrText[] = ["other"];
const directive = /%(?:[<>]|!?\d{3}(?:,\d{3})*)*(?:\{([^}]*)\})?([a-zA-Z%])|\$(?:\{(\w+)\}|(\w+))/g;

/**
 * The steps of a pattern. Throws an `Error` for a pattern that begins with text, or that has two fields without a text between
 * them: no reader could tell where the first one ends. A host with a port (`%v:%p`) is one field.
 */
export function stepsOf(pattern: string): readonly PatternStep[] {
  const parts: { text: string; field: PatternField | undefined }[] = [];
  let end = 0;
  const putText = (text: string): void => void (text === "" ? 0 : parts.push({ field: undefined, text }));
  const put = (part: FieldOrText): void => {
    if (texts.has(part)) putText(part);
    else parts.push({ field: part as PatternField, text: "" });
  };
  const joined = pattern.replace("%v:%p", "%v").replace("$host:$server_port", "$host");
  for (const found of joined.matchAll(directive)) {
    const [all, argument, letter, braced, name = braced] = found;
    putText(joined.slice(end, found.index));
    end = found.index + all.length;
    if (letter === "%") putText("%");
    else if (letter === undefined) (nginxFields[name!] ?? other).forEach(put);
    else {
      const key = argument === undefined ? letter : `${argument.toLowerCase()} ${letter}`;
      (apacheFields[key] ?? other).forEach(put);
    }
  }
  putText(joined.slice(end));
  const steps: { field: PatternField; end: string }[] = [];
  for (const { field, text } of parts) {
    const last = steps.at(-1);
    if (field === undefined) {
      if (last === undefined) throw new Error(`a pattern that begins with text: ${pattern}`);
      last.end += text;
    } else if (last !== undefined && last.end === "") throw new Error(`fields without text between them: ${pattern}`);
    else steps.push({ field, end: "" });
  }
  return steps;
}
