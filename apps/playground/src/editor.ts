// Creates a robots.txt editor with CodeMirror. The editor underlines findings, shows on hover which crawlers a line binds, and highlights
// the lines of an answer.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
  drawSelection,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Finding } from "@robots-stream/core/lint";
import { sentenceOf } from "@robots-stream/core/lint";
import { h } from "./dom.ts";
import { editorTheme } from "./editor-theme.ts";
import type { ShownFindings } from "./shown-findings.ts";

/** The role of a line in an answer. */
export interface Lit {
  readonly kind: "allow" | "disallow" | "match" | "agent";
  /** A few words, shown after the line. */
  readonly note: string;
}

/** An editor of one file. */
export interface Editor {
  text(): string;
  setText(text: string): void;
  /** Underlines the shown findings, which must belong to the current text. */
  showFindings(findings: ShownFindings): void;
  /** Highlights the lines of an answer, by line number. */
  light(lines: ReadonlyMap<number, Lit>): void;
  /** Moves the cursor to a line and the focus into the editor. */
  goTo(line: number): void;
}

/** The label and the callbacks of an editor. */
export interface EditorUse {
  readonly label: string;
  /** Called when the text has changed. */
  changed(): void;
  /** Called with the cursor's line when the text or the selection has changed. */
  moved(line: number): void;
  /** Describes the effect of a line. If the description is empty, no tooltip is shown. */
  note(line: number): string;
}

const setLit = StateEffect.define<ReadonlyMap<number, Lit>>();

class NoteWidget extends WidgetType {
  readonly #note: string;
  constructor(note: string) {
    super();
    this.#note = note;
  }
  override eq(other: NoteWidget): boolean {
    return other.#note === this.#note;
  }
  override toDOM(): HTMLElement {
    return h("span", { class: "cm-lit-note" }, this.#note);
  }
}

const litLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, { changes, effects, state }) {
    for (const effect of effects) {
      if (!effect.is(setLit)) continue;
      const lines = [...effect.value].filter(([line]) => line <= state.doc.lines).toSorted(([a], [b]) => a - b);
      return Decoration.set(
        lines.flatMap(([number, { kind, note }]) => {
          const { from, to } = state.doc.line(number);
          return [
            Decoration.line({ class: `cm-lit cm-lit-${kind}` }).range(from),
            Decoration.widget({ widget: new NoteWidget(note), side: 1 }).range(to),
          ];
        }),
      );
    }
    return decorations.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks for the keys and comments of the visible lines. */
const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marksOf(view);
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = marksOf(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Lines of this length or more get no marks, so that a change never requires a search through a long line. */
const mostMarked = 2_000;

function marksOf(view: EditorView): DecorationSet {
  const ranges = view.visibleRanges.flatMap(({ from, to }) => {
    const found = [];
    for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
      if (line.length < mostMarked) {
        const [, key = ""] = /^([^:#]*:)/u.exec(line.text) ?? [];
        const comment = line.text.indexOf("#");
        if (key !== "") found.push(Decoration.mark({ class: "cm-key" }).range(line.from, line.from + key.length));
        if (comment >= 0) found.push(Decoration.mark({ class: "cm-comment" }).range(line.from + comment, line.to));
      }
      if (line.to >= to || line.number === view.state.doc.lines) return found;
    }
  });
  return Decoration.set(ranges, true);
}

/**
 * Makes an editor in an element. The element's shadow root lets CodeMirror use constructed style sheets, so that the page's content
 * security policy need not permit styles other than the page's own.
 */
export function createEditor(place: HTMLElement, use: EditorUse): Editor {
  const root = place.attachShadow({ mode: "open" });
  const view: EditorView = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        litLines,
        marks,
        hoverTooltip(({ state }, at) => tooltipOf(state, at, use)),
        EditorView.contentAttributes.of({ "aria-label": use.label, "aria-multiline": "true" }),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged) use.changed();
          if (docChanged || selectionSet) use.moved(state.doc.lineAt(state.selection.main.head).number);
        }),
        editorTheme,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    },
    showFindings({ shown }) {
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, shown)));
    },
    light(lines) {
      view.dispatch({ effects: setLit.of(lines) });
    },
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
  };
}

function tooltipOf(state: EditorState, at: number, use: EditorUse): ReturnType<Parameters<typeof hoverTooltip>[0]> {
  const line = state.doc.lineAt(at);
  const note = use.note(line.number);
  if (note === "" || line.length === 0) return null;
  return {
    pos: line.from,
    end: line.to,
    create: () => ({ dom: h("div", { class: "cm-line-note" }, h("b", {}, `Line ${line.number}. `), note) }),
  };
}

function diagnosticsOf(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  return findings.flatMap((finding) => {
    if (finding.line > state.doc.lines) return [];
    const line = state.doc.line(Math.max(1, finding.line));
    const from = Math.min(line.from + Math.max(0, finding.column - 1), line.to);
    return [
      {
        from,
        to: line.from + line.text.trimEnd().length > from ? line.from + line.text.trimEnd().length : line.to,
        severity: finding.severity,
        message: sentenceOf(finding),
        source: finding.code,
      },
    ];
  });
}
