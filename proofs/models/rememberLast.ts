/**
 * Caches the last answer of `ask`, because several properties ask the same about one transition. One answer suffices,
 * since all properties look at a transition before the next one. It is safe because transitions are immutable.
 */
export function rememberLast<Subject extends object, Answer>(
  ask: (subject: Subject) => Answer,
): (subject: Subject) => Answer {
  let last: Subject | null = null;
  let answer: Answer | undefined;
  return (subject) => {
    if (last !== subject) {
      answer = ask(subject);
      last = subject;
    }
    return answer as Answer; // there is one as soon as there is a last subject
  };
}

/**
 * Caches the last two answers of a question that reads only these parts of its subject, such as the tables before and
 * after a step. The types require every part that the question can read. Parts are compared by reference.
 */
export function rememberParts<Subject extends object, Answer>(
  parts: Readonly<Record<keyof Subject, true>>,
  ask: (subject: Subject) => Answer,
): (subject: Subject) => Answer {
  type Known = { readonly subject: Subject; readonly answer: Answer };
  let last: Known | null = null;
  let older: Known | null = null;
  return (subject) => {
    const isFor = (known: Known | null) =>
      known !== null && haveSameParts(parts, known.subject, subject);
    if (last === null || !isFor(last)) {
      const found = older !== null && isFor(older) ? older : { subject, answer: ask(subject) };
      [last, older] = [found, last];
    }
    return last.answer;
  };
}

export function haveSameParts<Subject extends object>(
  parts: Readonly<Record<keyof Subject, true>>,
  one: Subject,
  other: Subject,
): boolean {
  for (const part in parts) if (one[part] !== other[part]) return false;
  return true;
}
