// A terminal in, a line that is drawn over and over at its end out (by log-update); loaded when there is such a terminal.
import type { Writable } from "node:stream";
import { createLogUpdate } from "log-update";

/** A stream that may be a terminal. */
export type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** A line at the end of a terminal. */
export interface LiveLine {
  /** Draws the line that is made for so many columns. */
  draw(lineFor: (columns: number) => string): void;
  /** Takes it away: what is written next stands where it stood. */
  clear(): void;
  /** Takes it away, for good. */
  end(): void;
}

/** Makes a line. */
export function createLiveLine(terminal: Terminal): LiveLine {
  // A terminal that does not know how large it is says 0. The cursor stays visible, so that nobody has to bring it back.
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
  // A terminal that becomes narrower breaks the line into several.
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
