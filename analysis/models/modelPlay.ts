/** Judges a model's answers: words copied from the prompt, repeated words, and votes. */
import type { MindRequest } from '../../actors/minds/port.ts';
import { canVote } from '../../prompts/meeting.ts';
import { readReply } from '../../prompts/reply.ts';
import { splitWords } from '../counts/messages.ts';

export type ModelPlay = Readonly<ReturnType<typeof judgePlay>>;

export type TrialAnswer = {
  readonly request: MindRequest;
  readonly prompt: string;
  readonly received: unknown;
};

export function judgePlay(answers: readonly TrialAnswer[]) {
  const replies = answers.flatMap(({ request, prompt, received }) => {
    const reading = request.kind === 'action' ? null : readReply(received);
    return reading?.ok ? [{ ...reading.reply, request, prompt }] : [];
  });
  const said = replies.filter(({ message }) => splitWords(message).length > 0);
  const lines = said.map(({ message }) => joinWords(message));
  const votes = replies.filter(
    ({ vote, notes }) => vote !== null || notes.some(({ code }) => code === 'vote/unknown'),
  );
  return {
    /** The first message; null if there was none. */
    example: said[0]?.message ?? null,
    messages: said.length,
    copied: said.filter(({ message, prompt }) => isCopied(message, prompt)).length,
    repeated: said.filter(
      ({ message }, place) =>
        lines.indexOf(lines[place] ?? '') < place || repeatsItself(splitWords(message)),
    ).length,
    votes: votes.length,
    illegalVotes: votes.filter(({ vote, request }) => !isLegal(vote, request)).length,
  };
}

export function soundsLikeBase({ messages, copied, repeated }: ModelPlay): boolean {
  return messages >= LEAST_JUDGED && Math.max(copied, repeated) * 2 >= messages;
}

const LEAST_JUDGED = 4;

function joinWords(text: string): string {
  return ` ${splitWords(text).join(' ')} `;
}

/** So many words in a row, or a whole message of fewer, are a copy. */
const COPIED_WORDS = 8;
/** Shorter messages are said by everybody. */
const LEAST_WORDS = 4;

export function isCopied(message: string, prompt: string): boolean {
  const words = splitWords(message);
  const width = Math.min(words.length, COPIED_WORDS);
  const given = joinWords(prompt);
  return width >= LEAST_WORDS && listRuns(words, width).some((run) => given.includes(` ${run} `));
}

/** A run of words within `near` places of itself, or a longer one anywhere, is a repetition. */
const REPEATED = { words: 4, near: 5, anywhere: 6 };

function repeatsItself(words: readonly string[]): boolean {
  const { words: width, near, anywhere } = REPEATED;
  const short = listRuns(words, width);
  const long = listRuns(words, anywhere);
  return (
    short.some((run, place) => short.slice(place + 1, place + 1 + near).includes(run)) ||
    new Set(long).size < long.length
  );
}

function listRuns(words: readonly string[], width: number): readonly string[] {
  return words.slice(width - 1).map((_, start) => words.slice(start, start + width).join(' '));
}

function isLegal(vote: string | null, request: MindRequest): boolean {
  if (request.kind === 'action' || request.kind === 'ghost' || !canVote(request.view)) return false;
  const { seats } = request.view.table;
  return (
    vote === 'skip' ||
    seats.some(({ colour, standing }) => colour === vote && standing === 'living')
  );
}
