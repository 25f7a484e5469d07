/**
 * Folding lines: what is worked out from a list of lines that only grows, one line at a time.
 *
 * A talk is read by every player at every tick, and what was read of it before need not be read again. What is kept
 * hangs on the first line of a talk and goes with it. A list that does not go on from what was folded, such as that of
 * an earlier tick, is folded from its beginning: what comes out is a value of the list alone.
 */

type LineFold<Line, Folded> = {
  readonly folded: Folded;
  readonly lines: Line[];
  /** The list that was folded last, as it was handed in. */
  list: readonly Line[];
};

/**
 * Makes the function that folds a list. What it gives back grows when a longer list is folded, so it is read at once and
 * not kept.
 */
export function foldLines<Line extends object, Folded>(
  start: () => Folded,
  add: (folded: Folded, line: Line, index: number) => void,
): (lines: readonly Line[]) => Folded {
  const folds = new WeakMap<Line, LineFold<Line, Folded>>();
  return (lines) => {
    const [first] = lines;
    if (first === undefined) return start();
    let fold = folds.get(first);
    if (fold === undefined || !goesOn(fold, lines)) {
      fold = { folded: start(), lines: [], list: lines };
      folds.set(first, fold);
    }
    for (let index = fold.lines.length; index < lines.length; index++) {
      const line = lines[index];
      if (line === undefined) break;
      add(fold.folded, line, index);
      fold.lines.push(line);
    }
    fold.list = lines;
    return fold.folded;
  };
}

function goesOn<Line>(fold: LineFold<Line, unknown>, lines: readonly Line[]): boolean {
  const { lines: known } = fold;
  if (fold.list === lines && known.length === lines.length) return true;
  for (let index = 0; index < known.length; index++) {
    if (known[index] !== lines[index]) return false;
  }
  return true;
}
