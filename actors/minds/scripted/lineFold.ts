/** Folds a growing list of lines, each once. A list that does not extend the folded one is folded from its start. */

type LineFold<Line, Folded> = {
  readonly folded: Folded;
  readonly lines: Line[];
  list: readonly Line[];
};

/** Makes a folding function. Its result grows with longer lists, so read it at once and don't keep it. */
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
    for (const line of lines.slice(fold.lines.length)) {
      add(fold.folded, line, fold.lines.length);
      fold.lines.push(line);
    }
    fold.list = lines;
    return fold.folded;
  };
}

function goesOn<Line>(fold: LineFold<Line, unknown>, lines: readonly Line[]): boolean {
  const { lines: known } = fold;
  if (fold.list === lines && known.length === lines.length) return true;
  return known.every((line, index) => line === lines[index]);
}

/** The same value for the same argument in a row: it saves work, and a value is known again by its identity. */
export function keepLast<Of, Made>(make: (of: Of) => Made): (of: Of) => Made {
  let last: { readonly of: Of; readonly made: Made } | null = null;
  return (of) => {
    if (last?.of !== of) last = { of, made: make(of) };
    return last.made;
  };
}
