// Draws one line at the end of a terminal's output and redraws the line in place (with log-update). This file is imported only for
// terminals.
import type { Writable } from "node:stream";
import { createLogUpdate } from "log-update";

/** A stream that may be a terminal. */
export type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

export interface LiveLine {
  /** Draws the line that `lineFor` returns for the terminal's width. */
  draw(lineFor: (columns: number) => string): void;
  /** Clears the line, so that the next text is written in its place. */
  clear(): void;
  /** Clears the line and stops listening for changes of the terminal's width. `draw` must not be called after this. */
  end(): void;
}

export function createLiveLine(terminal: Terminal): LiveLine {
  // A terminal of unknown width reports 0. The cursor is never hidden, so that no crash can leave it hidden.
  const sized = {
    write: (text: string) => terminal.write(text),
    get columns() {
      return columnsOf(terminal);
    },
    get rows() {
      return terminal.rows || 24;
    },
  } as unknown as NodeJS.WritableStream;
  const update = createLogUpdate(sized, { showCursor: true });
  let shown = "";
  const clear = (): void => {
    update.clear();
    shown = "";
  };
  // When the terminal becomes narrower, the line wraps and occupies several rows.
  const onResize = (): void => {
    const rows = Math.ceil(shown.length / columnsOf(terminal));
    if (rows < 2) return;
    terminal.write(`\u001B[${rows - 1}A`);
    clear();
    terminal.write("\u001B[J");
  };
  terminal.on("resize", onResize);
  return {
    draw(lineFor) {
      shown = lineFor(columnsOf(terminal));
      update(shown);
    },
    clear,
    end() {
      terminal.off("resize", onResize);
      clear();
    },
  };
}

function columnsOf({ columns }: Terminal): number {
  return columns || 80;
}
