// Defines the editor's theme, in the page's own colours. The theme replaces CodeMirror's pictures, which are data: URLs that the content
// security policy blocks.
import { EditorView } from "@codemirror/view";

const wave = (colour: string): Readonly<Record<string, string>> => ({
  backgroundImage: "none",
  paddingBottom: "0",
  textDecoration: `underline wavy ${colour}`,
  textDecorationSkipInk: "none",
  textUnderlineOffset: "3px",
});

const stripe = (colour: string): Readonly<Record<string, string>> => ({ boxShadow: `inset 4px 0 0 ${colour}` });

export const editorTheme: ReturnType<typeof EditorView.theme> = EditorView.theme({
  "&": { backgroundColor: "var(--card)", color: "var(--text)", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    lineHeight: "1.55",
    minHeight: "220px",
    maxHeight: "420px",
    overflow: "auto",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--band2)",
  },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--muted)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "36px" },
  ".cm-key": { color: "var(--link)" },
  ".cm-comment": { color: "var(--muted)" },
  ".cm-lit": { backgroundColor: "var(--band)" },
  ".cm-lit-allow": stripe("var(--allowed)"),
  ".cm-lit-disallow": stripe("var(--violation)"),
  ".cm-lit-match": stripe("var(--undecidable)"),
  ".cm-lit-agent": stripe("var(--tick)"),
  ".cm-lit-note": { marginLeft: "24px", color: "var(--muted)", fontFamily: "system-ui, sans-serif" },
  ".cm-lintRange-error": wave("var(--violation)"),
  ".cm-lintRange-warning": wave("var(--warn)"),
  ".cm-lintRange-info, .cm-lintRange-hint": wave("var(--undecidable)"),
  ".cm-lintRange-active": { backgroundColor: "var(--band2)" },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    maxWidth: "min(460px, 90vw)",
    font: "13px/1.45 system-ui, sans-serif",
  },
  ".cm-line-note": { padding: "6px 10px" },
  ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--violation)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--grace)" },
  ".cm-diagnostic-info": { borderLeft: "4px solid var(--undecidable)" },
  ".cm-diagnosticSource": { color: "var(--muted)", opacity: "1" },
  ".cm-panels": { backgroundColor: "var(--card)", color: "var(--text)", borderColor: "var(--line)" },
});
