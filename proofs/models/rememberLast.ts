/** Answers that are asked for several times in a row. */

/**
 * The same answers as `ask` gives, without working out the last one again: several properties ask the same about one
 * transition. The last answer is enough, since all properties look at one transition before any looks at the next; and
 * it is safe, since transitions are never changed.
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
