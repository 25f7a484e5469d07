/** Words are at most this many letters from a typo of them, and at most half of its letters are wrong. */
const TYPO = 3;

export function suggestWord(word: string, known: readonly string[]): string | null {
  const most = Math.min(TYPO, Math.floor(word.length / 2));
  const [best] = known
    .map((name) => ({ name, letters: distance(word.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.letters - other.letters);
  return best !== undefined && best.letters <= most ? best.name : null;
}

/** How a sentence about an unknown word ends: with the word that was meant, or with `otherwise`. */
export function didYouMean(word: string, known: readonly string[], otherwise = ''): string {
  const meant = suggestWord(word, known);
  return meant === null ? otherwise : `; did you mean ${JSON.stringify(meant)}?`;
}

/** Letters to add, drop, change or swap with the next to get from one word to another. */
function distance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++) {
      const isSwap = one[at] === other[index - 1] && one[at - 1] === other[index];
      const steps = [
        (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1),
        (row[index + 1] ?? 0) + 1,
        (next[index] ?? 0) + 1,
        isSwap ? (before[index - 1] ?? Infinity) + 1 : Infinity,
      ];
      next.push(Math.min(...steps));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
