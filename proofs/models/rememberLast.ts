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
