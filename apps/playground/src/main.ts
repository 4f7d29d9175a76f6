// Reads the page's fields, the share link and the selections, passes them to the other modules, and shows their results.
import { dataVersion } from "@robots-stream/agents";
import { lint } from "@robots-stream/core/lint";
import { diffRobots } from "@robots-stream/diff";
import { type Answers, answersOf } from "./answers.ts";
import { type Chosen, answersSummary, answersTable, firstChosen } from "./answers-view.ts";
import { changesOf } from "./changes-view.ts";
import { byId, h } from "./dom.ts";
import { type Editor, createEditor } from "./editor.ts";
import { examples } from "./examples.ts";
import { findingsList } from "./findings-view.ts";
import { lineNotesOf } from "./line-notes.ts";
import { pageAnswersOf } from "./page-answers.ts";
import { pageTable } from "./page-view.ts";
import { fragmentOf, questionIn } from "./share.ts";
import { shownFindingsOf } from "./shown-findings.ts";
import type { Question } from "./state.ts";
import { litLinesOf, traceCard } from "./trace-view.ts";

/** Delay in milliseconds between the last key and the new answers. */
const restMs = 120;
/** Maximum number of steps of a comparison, reached after about half a second. */
const mostSteps = 10_000_000;

const part = (id: string): HTMLElement => byId(id, HTMLElement);
const fields = ["urls", "crawlers", "headers", "html"] as const;
const field = (id: (typeof fields)[number]): HTMLTextAreaElement => byId(id, HTMLTextAreaElement);

/** Connects the page's elements to their actions. */
class Playground {
  readonly #robots: Editor;
  readonly #next: Editor;
  #answers: Answers = answersOf({ robots: "", urls: "", crawlers: "" });
  #noteOf: (line: number) => string = () => "";
  #nextNoteOf: (line: number) => string = () => "";
  #line = 1;
  #chosen: Chosen | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#robots = createEditor(part("robots"), {
      label: "robots.txt",
      changed: () => this.#soon(),
      moved: (line) => this.#tellLine(line),
      note: (line) => this.#noteOf(line),
    });
    this.#next = createEditor(part("next"), {
      label: "The second robots.txt",
      changed: () => this.#soon(),
      moved: () => {},
      note: (line) => this.#nextNoteOf(line),
    });
    for (const id of fields) {
      field(id).addEventListener("input", () => this.#soon());
    }
    const select = byId("example", HTMLSelectElement);
    select.append(...examples.map(({ name }, at) => h("option", { value: String(at) }, name)));
    select.addEventListener("change", () => this.#showExample(Number(select.value)));
    byId("share", HTMLButtonElement).addEventListener("click", () => void this.#share());
    addEventListener("hashchange", () => void this.open());
    part("made").textContent = `robots-stream · crawlers as of ${dataVersion} · no request, no storage, no cookie`;
  }

  /** Shows the question in the page's URL. If the URL has none and the editor is empty, shows the first example. */
  async open(): Promise<void> {
    const question = await questionIn(location.hash);
    if (question !== undefined) this.#show(question, "From a link.");
    else if (this.#robots.text() === "") this.#showExample(0);
  }

  #showExample(at: number): void {
    const example = examples[at];
    if (example === undefined) return;
    const [row, column] = example.opens ?? [];
    this.#show(
      example.question,
      example.about,
      row === undefined || column === undefined ? undefined : { row, column },
    );
  }

  #show(question: Question, about: string, chosen?: Chosen): void {
    this.#robots.setText(question.robots);
    this.#next.setText(question.next);
    for (const id of fields) field(id).value = question[id];
    part("about").textContent = about;
    part("shared").replaceChildren();
    this.#chosen = chosen ?? firstChosen(answersOf(question));
    this.#update();
  }

  #question(): Question {
    const [urls, crawlers, headers, html] = [field("urls"), field("crawlers"), field("headers"), field("html")];
    return {
      robots: this.#robots.text(),
      next: this.#next.text(),
      urls: urls.value,
      crawlers: crawlers.value,
      headers: headers.value,
      html: html.value,
    };
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), restMs);
  }

  #update(): void {
    clearTimeout(this.#timer);
    const question = this.#question();
    const { robots, next } = question;
    this.#answers = answersOf(question);
    this.#noteOf = lineNotesOf(robots, this.#answers.robots.google);
    this.#tellLine(this.#line);
    const findings = shownFindingsOf(lint(robots));
    this.#robots.showFindings(findings);
    part("findings").replaceChildren(findingsList(findings, (line) => this.#robots.goTo(line)));
    this.#showAnswers();
    this.#showChanges(robots, next);
    const url = this.#answers.rows[0]?.url ?? "/";
    const answers = pageAnswersOf({ ...question, robots: this.#answers.robots.google, url }, this.#answers.crawlers);
    part("page").replaceChildren(pageTable(answers, url));
    document.body.dataset["ready"] = String(Number(document.body.dataset["ready"] ?? 0) + 1);
  }

  #showAnswers(): void {
    const focused = document.activeElement?.getAttribute("data-cell");
    part("answers-summary").textContent = answersSummary(this.#answers);
    part("answers").replaceChildren(answersTable(this.#answers, this.#chosen, (cell) => this.#choose(cell)));
    if (typeof focused === "string") document.querySelector<HTMLElement>(`[data-cell="${focused}"]`)?.focus();
    const card = this.#chosen && traceCard(this.#answers, this.#chosen, (line) => this.#robots.goTo(line));
    part("trace").replaceChildren(...(card === undefined ? [] : [card]));
    this.#robots.light(this.#chosen === undefined ? new Map() : litLinesOf(this.#answers, this.#chosen));
  }

  #choose(cell: Chosen): void {
    const isOpen = this.#chosen?.row === cell.row && this.#chosen.column === cell.column;
    this.#chosen = isOpen ? undefined : cell;
    this.#showAnswers();
  }

  #showChanges(robots: string, next: string): void {
    if (next.trim() === "") {
      this.#nextNoteOf = () => "";
      this.#next.showFindings(shownFindingsOf([]));
      const text =
        "Paste the file that is to replace the first one: each rule that changes an answer gets a URL as proof.";
      part("changes").replaceChildren(h("p", { class: "muted" }, text));
      return;
    }
    this.#nextNoteOf = lineNotesOf(next, answersOf({ robots: next, urls: "", crawlers: "" }).robots.google);
    this.#next.showFindings(shownFindingsOf(lint(next)));
    const diff = diffRobots(robots, next, { mostSteps });
    const editors = { old: this.#robots, new: this.#next };
    part("changes").replaceChildren(changesOf(diff, (side, line) => editors[side].goTo(line)));
  }

  #tellLine(line: number): void {
    this.#line = line;
    const note = this.#noteOf(line);
    const text = note === "" ? "" : `Line ${line}. ${note}`;
    // Do not announce the same text again.
    if (part("line-note").textContent !== text) part("line-note").textContent = text;
  }

  async #share(): Promise<void> {
    const fragment = await fragmentOf(this.#question());
    if (fragment === undefined) {
      part("shared").replaceChildren("The text is too long for a link: a link contains at most 2 MB.");
      return;
    }
    const address = `${location.href.replace(/#.*$/u, "")}#${fragment}`;
    history.replaceState(null, "", `#${fragment}`);
    const link = h("input", { "aria-label": "The link", readonly: "", value: address });
    try {
      await navigator.clipboard.writeText(address);
      part("shared").replaceChildren("Link copied. It contains everything that was entered, after the #.");
    } catch {
      part("shared").replaceChildren(link);
      link.select();
    }
  }
}

void new Playground().open();
