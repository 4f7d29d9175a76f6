// Reads a sitemap (sitemaps.org, protocol 0.9): one record per <url> or <sitemap>, with its <loc> and its <lastmod>.
import { type Batch, fingerprintBefore, type Reject, type RejectCode, type ResumePoint } from "../../records/batch.ts";
import { urlTextOf } from "../../common/text.ts";
import { keptOf, mostRejectsAtOnce, tooLong } from "../../records/blocks.ts";
import type { ReadOptions } from "../input-format.ts";
import { RowHeads } from "../../records/row-heads.ts";
import { trimmed } from "../line-reader.ts";
import { checkFixedFields } from "../asked-fields.ts";
import { type Token, withoutReferences, XmlTokens } from "./tokens.ts";

/** The columns of rows. */
const names = ["url", "lastmod"];

/** The element with the value of each column. */
const elements = ["loc", "lastmod"];

/** Largest number of records in a batch. */
const mostRecordsAtOnce = 4_096;

/** Largest number of bytes kept of an entry that is longer than `maxLineBytes`. */
const keptOfOverlong = 1_024;

/** Reads one sitemap, or several that were joined. */
export async function* readSitemap(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const reader = new SitemapReader(options);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** Whether a name without its prefix is the name of a sitemap's root element. */
export function isRoot(name: string): boolean {
  return name === "urlset" || name === "sitemapindex";
}

export interface Tag {
  readonly name: string;
  /** The name without its prefix. */
  readonly local: string;
  readonly isEnd: boolean;
}

/** The tag that a text begins with; undefined when the tag has no name. */
export function tagOf(text: string): Tag | undefined {
  const [, slash, name] = /^<(\/?)([^\s/<>"'=]{1,100})(?=[\s/>])/.exec(text) ?? [];
  return name === undefined ? undefined : { name, local: name.slice(name.indexOf(":") + 1), isEnd: slash === "/" };
}

/** An entry of a sitemap: a <url> or <sitemap> whose end has not been read yet. */
interface Entry {
  readonly name: string;
  /** The prefix of the entry's name, with the colon. The elements of its fields must have the same prefix. */
  readonly prefix: string;
  readonly start: number;
  readonly line: number;
  /** Names of the open elements within the entry. */
  readonly open: string[];
  /** By column: the field's text so far, as bytes without references; undefined for a field that has not begun. */
  readonly fields: (string | undefined)[];
  /** The column of the open field; -1 if there is none. */
  field: number;
  /** The open field's text since the last token that is not text, with its references. */
  text: string;
  /** Why the entry is rejected; undefined for a valid entry. */
  problem: string | undefined;
  /** Set for an entry that is longer than `maxLineBytes`: its beginning, the only part that is kept. */
  beginning: string | undefined;
}

/** A line, or a part of a line, outside of entries. `length`: the number of its bytes; `text` contains only the first of them. */
interface Stray {
  readonly line: number;
  text: string;
  length: number;
}

class SitemapReader {
  readonly #options: ReadOptions;
  readonly #tokens: XmlTokens;
  readonly #heads = new RowHeads();
  #rejects: Reject[] = [];
  /** Whether the fields were checked: at the first bytes, because an empty sitemap has no record without a field. */
  #isChecked = false;
  #entry: Entry | undefined;
  #stray: Stray | undefined;
  /** Number of bytes of a byte order mark that were read at the beginning of the source. */
  #markBytes = 0;
  /** The name of the open root element. */
  #root: string | undefined;
  /** The last position outside of entries and other markup, from which another reader could continue. */
  #clean: { readonly offset: number; readonly line: number; readonly root: string | undefined } | undefined;

  constructor(options: ReadOptions) {
    const { lineEnd, maxLineBytes, from, writer } = options;
    this.#options = options;
    this.#heads.begin();
    this.#tokens = new XmlTokens(lineEnd, maxLineBytes, from?.offset, from?.line);
    const root = from?.known["root"];
    this.#root = typeof root === "string" ? root : undefined;
    writer.startRows(names, undefined);
  }

  *read(chunk: Uint8Array): Generator<Batch> {
    const tokens = this.#tokens;
    // A sitemap's time is that of the last change, so the user has to name it.
    const time = this.#options.time?.field === "lastmod" ? "lastmod" : undefined;
    if (!this.#isChecked) checkFixedFields(this.#options, { names, url: "url", time });
    this.#isChecked = true;
    tokens.add(chunk);
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      this.#take(token);
      if (this.#count >= mostRecordsAtOnce || this.#rejects.length >= mostRejectsAtOnce) yield this.#takeBatch();
    }
    yield* this.#takeRest();
    const entry = this.#entry;
    // The unfinished token is not counted, because it may be a tag outside of the entry.
    if (entry !== undefined) this.#boundEntry(entry, tokens.needed);
    const start = entry === undefined || entry.beginning !== undefined ? Infinity : entry.start;
    tokens.drop(Math.min(start, tokens.needed));
  }

  *end(): Generator<Batch> {
    const { rest, end } = this.#tokens;
    if (this.#entry !== undefined) {
      this.#entry.problem ??= "is cut short";
      this.#endEntry(this.#entry, end);
    } else if (rest !== undefined) {
      if (rest.kind === "comment" || rest.kind === "doctype" || rest.kind === "instruction") {
        this.#endStray();
        const what = { comment: "a comment", doctype: "a DTD", instruction: "an instruction" }[rest.kind];
        this.#reject("not-xml", `ends in the middle of ${what}`, "", this.#tokens.lineAt(end));
      } else this.#takeStray(rest);
    }
    this.#endStray();
    if (this.#root !== undefined && this.#rejects.length === 0) {
      this.#reject("not-xml", `ends before </${this.#root}>`, "", this.#tokens.lineAt(end));
    }
    this.#clean = undefined;
    yield* this.#takeRest();
  }

  *#takeRest(): Generator<Batch> {
    if (this.#count > 0 || this.#rejects.length > 0) yield this.#takeBatch();
  }

  /** Number of records that have not been yielded yet. */
  get #count(): number {
    return this.#heads.packed.count;
  }

  #takeBatch(): Batch {
    const batch = { records: this.#heads.finish(), rejects: this.#rejects, place: this.#place() };
    this.#heads.begin();
    this.#rejects = [];
    return batch;
  }

  #place(): ResumePoint | undefined {
    const clean = this.#clean;
    if (this.#options.givesPlaces !== true || clean === undefined) return undefined;
    const bytes = this.#tokens.bytesBefore(clean.offset);
    const before = fingerprintBefore(bytes, bytes.length);
    return { offset: clean.offset, line: clean.line - 1, before, known: { root: clean.root } };
  }

  #take(token: Token): void {
    if (this.#entry !== undefined) this.#takeOfEntry(this.#entry, token);
    else if (token.kind === "tag") this.#takeTag(token);
    else if (token.kind === "text" || token.kind === "cdata" || token.kind === "broken") this.#takeStray(token);
    else {
      this.#endStray();
      this.#setClean(token.end);
    }
  }

  /** Takes a tag outside of entries. */
  #takeTag(token: Token): void {
    const tag = this.#tagOf(token);
    if (tag !== undefined && isEntry(tag.local) && !tag.isEnd) {
      this.#endStray();
      this.#setClean(token.start);
      this.#beginEntry(tag, token);
    } else if (tag !== undefined && isRoot(tag.local)) {
      this.#endStray();
      this.#root = tag.isEnd || this.#isEmpty(token) ? undefined : tag.name;
      this.#setClean(token.end);
    } else this.#takeStray(token);
  }

  #beginEntry({ name, local }: Tag, token: Token): void {
    const { start } = token;
    this.#entry = {
      name,
      prefix: name.slice(0, name.length - local.length),
      start,
      line: this.#tokens.lineAt(start),
      open: [],
      fields: names.map(() => undefined),
      field: -1,
      text: "",
      problem: undefined,
      beginning: undefined,
    };
    if (this.#isEmpty(token)) this.#endEntry(this.#entry, token.end);
  }

  /** Takes a token after the opening tag of an entry. The entry ends at its closing tag, or at a tag that can only follow the entry. */
  #takeOfEntry(entry: Entry, token: Token): void {
    const { kind, start, end } = token;
    if (kind === "text") {
      if (entry.field >= 0 && entry.problem === undefined) entry.text += this.#tokens.textOf(start, end);
      return;
    }
    endText(entry);
    if (kind === "cdata") {
      if (entry.field >= 0 && entry.problem === undefined) {
        entry.fields[entry.field] += this.#tokens.textOf(start + "<![CDATA[".length, end - "]]>".length);
      }
    } else if (kind === "broken" || kind === "doctype") entry.problem ??= "has markup that is not XML";
    else if (kind === "tag") this.#takeTagOfEntry(entry, token);
  }

  #takeTagOfEntry(entry: Entry, token: Token): void {
    const tag = this.#tagOf(token);
    if (tag === undefined) entry.problem ??= "has markup that is not XML";
    else if (tag.name === entry.name && tag.isEnd) {
      if (entry.open.length > 0) entry.problem ??= "has an element that does not end";
      this.#endEntry(entry, token.end);
    } else if (tag.name === entry.name || (tag.isEnd && tag.name === this.#root)) {
      entry.problem ??= `has no </${isEntry(entry.name) ? entry.name : "url"}>`;
      this.#endEntry(entry, token.start);
      this.#takeTag(token);
    } else if (entry.problem !== undefined || entry.beginning !== undefined) return;
    else if (tag.isEnd) {
      if (entry.open.pop() !== tag.name) entry.problem = "has an element that is not closed before its parent";
      entry.field = -1;
    } else {
      const field = entry.open.length === 0 ? elements.findIndex((each) => entry.prefix + each === tag.name) : -1;
      if (field >= 0 && entry.fields[field] !== undefined) entry.problem = `has more than one <${elements[field]}>`;
      if (field >= 0) entry.fields[field] ??= "";
      if (this.#isEmpty(token)) return;
      // The text of an element within a field is not part of the field.
      entry.open.push(tag.name);
      entry.field = field;
    }
  }

  #endEntry(entry: Entry, end: number): void {
    this.#boundEntry(entry, end);
    this.#entry = undefined;
    const { line, fields } = entry;
    const values = fields.map((field) => (field === undefined ? undefined : trimmed(field)));
    const [url = "", lastmod = ""] = values;
    const problem = entry.problem ?? (url === "" ? "has no <loc>" : undefined);
    const { maxLineBytes, time, writer } = this.#options;
    if (entry.beginning !== undefined) {
      this.#reject("too-long", tooLong(maxLineBytes), entry.beginning, line);
    } else if (problem !== undefined) {
      const code = entry.problem === undefined ? "no-url-field" : "not-xml";
      this.#reject(code, problem, trimmed(this.#tokens.textOf(entry.start, end)), line);
    } else {
      const head = writer.headOfFields(names, [url, lastmod === "" ? undefined : lastmod]);
      this.#heads.add(head, urlTextOf(url), time === undefined ? {} : { time: lastmod });
    }
    this.#setClean(end);
  }

  /** Keeps only the beginning of an entry that is longer than `maxLineBytes`. `end`: the end of the entry so far. */
  #boundEntry(entry: Entry, end: number): void {
    const { maxLineBytes } = this.#options;
    if (entry.beginning !== undefined || end - entry.start <= maxLineBytes) return;
    const kept = entry.start + Math.min(keptOfOverlong, maxLineBytes);
    entry.beginning = this.#tokens.textOf(entry.start, kept);
    entry.open.length = 0;
    entry.field = -1;
  }

  /** Takes a token outside of entries: each of its lines that is not blank becomes a reject. */
  #takeStray({ kind, start, end }: Token): void {
    const text = this.#tokens.textOf(start, end);
    const { lineEnd, maxLineBytes } = this.#options;
    let first = 0;
    while (
      this.#markBytes < mark.length &&
      start + first === this.#markBytes &&
      text[first] === mark[this.#markBytes]
    ) {
      first++;
      this.#markBytes++;
    }
    for (let at = first; at < text.length;) {
      const found = text.indexOf(lineEnd, at);
      const lineEndAt = found < 0 ? text.length : found;
      const all = text.slice(at, lineEndAt);
      const piece = this.#stray === undefined ? all.replace(/^[ \t\r\n]+/, "") : all;
      if (this.#stray === undefined && piece !== "") {
        this.#stray = { line: this.#tokens.lineAt(start + at), text: "", length: 0 };
      }
      if (this.#stray !== undefined) {
        this.#stray.text += piece.slice(0, Math.max(0, maxLineBytes + 1 - this.#stray.text.length));
        this.#stray.length += piece.length;
      }
      if (found >= 0) {
        this.#endStray();
        // No reader can continue within markup: it would find other tokens.
        if (kind === "text") this.#setClean(start + lineEndAt + 1);
        else this.#clean = undefined;
      }
      at = lineEndAt + 1;
    }
    if (this.#stray === undefined) this.#setClean(end);
  }

  #endStray(): void {
    const stray = this.#stray;
    if (stray === undefined) return;
    this.#stray = undefined;
    const { maxLineBytes } = this.#options;
    const { text, line, length } = stray;
    if (length > maxLineBytes) this.#reject("too-long", tooLong(maxLineBytes), text, line);
    else this.#reject("not-xml", "is not part of a sitemap entry", trimmed(text), line);
  }

  #reject(code: RejectCode, message: string, text: string, line: number): void {
    const { source, maxLineBytes } = this.#options;
    this.#rejects.push({ source, line, code, message, ...keptOf(code, text, maxLineBytes) });
  }

  #setClean(offset: number): void {
    this.#clean = { offset, line: this.#tokens.lineAt(offset), root: this.#root };
  }

  #tagOf({ start, end }: Token): Tag | undefined {
    return tagOf(this.#tokens.textOf(start, Math.min(end, start + 128)));
  }

  #isEmpty({ end }: Token): boolean {
    return this.#tokens.textOf(end - 2, end) === "/>";
  }
}

/** UTF-8's byte order mark. */
const mark = "\xef\xbb\xbf";

function isEntry(name: string): boolean {
  return name === "url" || name === "sitemap";
}

/** Replaces the references in the text of the open field, and adds the text to the field. Call it when the text is complete. */
function endText(entry: Entry): void {
  if (entry.text === "") return;
  const text = withoutReferences(entry.text);
  entry.text = "";
  if (text === undefined) entry.problem ??= "has an & that does not begin an XML reference such as &amp;";
  else entry.fields[entry.field] += text;
}
