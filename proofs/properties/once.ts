/**
 * Once: what several promises ask about the same turn is worked out for the first of them.
 *
 * Only the last answer is kept. That is enough, since all promises look at one turn before any looks at the next; and
 * it is safe, since turns are never changed.
 */

/** The same answers as `asked` gives, without working out the last one again. */
export function once<Subject extends object, Answer>(
  asked: (subject: Subject) => Answer,
): (subject: Subject) => Answer {
  let last: Subject | null = null;
  let answer: Answer | undefined;
  return (subject) => {
    if (last !== subject) {
      answer = asked(subject);
      last = subject;
    }
    return answer as Answer; // there is one as soon as there is a last subject
  };
}
