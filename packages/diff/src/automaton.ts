// Makes a deterministic automaton from a rule's pattern. The automaton reads targets character by character (RFC 9309 §2.2.3).
import type { CompetingRule } from "@robots-stream/core/internal";

const STAR = 0x2a;
const asciiEnd = 0x80;

/** The state after which the target cannot match. */
export const dead = 0;
/** The state before the first character. */
export const begin = 1;

/** Flags of a state. `acceptsEnd`: the target matches if it ends in this state. */
export const acceptsEnd = 1;
/** `acceptsAll`: the target matches, however it continues. */
export const acceptsAll = 2;

/** An automaton. Its size is about the product of the pattern's length and the number of different characters in the pattern. */
export interface Automaton {
  /** The column of each ASCII character; column 0 is for all characters that the pattern does not contain. */
  readonly columnOf: Uint8Array;
  readonly columns: number;
  /** The next state for a state and a character, at `state * columns + column`. */
  readonly next: Int32Array;
  /** {@link acceptsEnd} and {@link acceptsAll} of each state. */
  readonly flags: Uint8Array;
  /** For each state before the first star, the only character that does not lead to the dead state; for other states 0. */
  readonly only: Uint8Array;
}

/**
 * The texts between the stars of a pattern; the first piece begins the target, and the last piece ends it if the pattern ends with `$`
 * (`isTied`).
 */
interface Pieces {
  readonly pieces: readonly Uint8Array[];
  readonly isTied: boolean;
}

/** An upper bound of the number of cells in a rule's automaton: the cost of {@link automatonOf}. */
export function cellsOf({ bytes }: CompetingRule): number {
  return (bytes.length + 3) * (new Set(bytes).size + 1);
}

/**
 * The automaton of a rule's pattern. As in the matcher, each piece between two stars matches at its first occurrence. A state is therefore
 * a pair: the current piece, and how many of its first characters the target so far ends with (the construction of Knuth, Morris and
 * Pratt).
 */
export function automatonOf(rule: CompetingRule): Automaton {
  const { pieces, isTied } = piecesOf(rule);
  const columnOf = new Uint8Array(asciiEnd);
  let columns = 1;
  for (const piece of pieces) {
    for (const code of piece) if (columnOf[code] === 0) columnOf[code] = columns++;
  }
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // The dead state, one state before each character of the pieces, and the state after the last character.
  const states = length + 2;
  const next = new Int32Array(states * columns);
  const flags = new Uint8Array(states);
  const only = new Uint8Array(states);
  let state = begin;
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) {
      for (const code of piece) {
        only[state] = code;
        next[state * columns + columnOf[code]!] = state + 1;
        state++;
      }
    } else state = writePiece(piece, state, { next, columns, columnOf });
  }
  const isAnchored = pieces.length === 1;
  if (!isTied) {
    next.fill(state, state * columns, (state + 1) * columns);
    flags[state] = acceptsEnd | acceptsAll;
  } else {
    flags[state] = acceptsEnd;
    // If a star precedes the last piece, the target may continue and end with another occurrence.
    if (!isAnchored) writeEnd(pieces.at(-1)!, state, { next, columns, columnOf });
  }
  return { columnOf, columns, next, flags, only };
}

interface Cells {
  readonly next: Int32Array;
  readonly columns: number;
  readonly columnOf: Uint8Array;
}

/** Writes the states of a piece that follows a star, from the state `first` on; returns the state after the piece. */
function writePiece(piece: Uint8Array, first: number, { next, columns, columnOf }: Cells): number {
  // The state for the longest proper suffix of the characters read that is a prefix of the piece.
  let border = first;
  for (let at = 0; at < piece.length; at++) {
    const state = first + at;
    const column = columnOf[piece[at]!]!;
    if (at === 0) next.fill(first, state * columns, (state + 1) * columns);
    else next.copyWithin(state * columns, border * columns, (border + 1) * columns);
    const back = next[state * columns + column]!;
    next[state * columns + column] = state + 1;
    if (at > 0) border = back;
  }
  return first + piece.length;
}

/** Writes the state after the last piece of a pattern that ends with `$`. From this state, the piece may occur again. */
function writeEnd(piece: Uint8Array, state: number, { next, columns, columnOf }: Cells): void {
  const first = state - piece.length;
  let border = first;
  for (const code of piece.subarray(1)) border = next[border * columns + columnOf[code]!]!;
  next.copyWithin(state * columns, border * columns, (border + 1) * columns);
}

function piecesOf({ bytes, isTied }: CompetingRule): Pieces {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== STAR) continue;
    // Adjacent stars have the meaning of one star; only the first piece may be empty.
    if (at > start || pieces.length === 0) pieces.push(bytes.subarray(start, at));
    start = at + 1;
  }
  // After a star at the end of the pattern, the target may end with any text.
  return { pieces, isTied: isTied && bytes.at(-1) !== STAR };
}
