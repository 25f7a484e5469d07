/** Speech: publication, mentions, accusations, and System's "wrap it up". */
import { ACCUSING_WORDS } from '../../../../machines/rules/mentions.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import type { Account } from './account.ts';
import { replyOf } from './consequences.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';
import { isCut, tokensOf } from './talk.ts';

type Tick = LineOf<'tick.closed'>;

export function checkSpeech(line: Tick, account: Account, complain: Complain): void {
  if (!account.isTalk) return;
  checkSaid(line, account, complain);
  checkHits(line, account, complain);
  checkNudge(line, account, complain);
}

function checkSaid(line: Tick, account: Account, complain: Complain): void {
  const { said, floor, tick } = line;
  expectSame(complain, 'said/speaker', said?.speaker ?? null, floor);
  if (said === null) return;
  expectSame(complain, 'said/speaker', said.tick, tick);
  const bid = line.bids.find(({ seat }) => seat === said.speaker);
  const reply = bid === undefined ? null : replyOf(bid);
  const words = reply?.message.trim() ?? '';
  const cap = account.terms.message_tokens;
  const length = tokensOf(said.message);
  if (length > cap) complain('said/cap', `${length} tokens are more than ${cap}`);
  if (!isCut(said.message, words, cap))
    complain('said/words', `${JSON.stringify(said.message)} is not what ${said.speaker} bid`);
  const target = said.message === '' || reply?.target === said.speaker ? null : reply?.target;
  expectSame(complain, 'said/words', said.target ?? null, target ?? null);
}

function checkHits({ said, hits }: Tick, account: Account, complain: Complain): void {
  const found = (kind: string) =>
    COLOURS.filter((seat) => hits.some((hit) => hit.kind === kind && hit.seat === seat));
  const counts = (seat: Colour) => seat !== said?.speaker && account.standings.has(seat);
  for (const { seat } of hits) if (seat === said?.speaker) complain('hits/self', `${seat}`);
  const message = said?.message ?? '';
  const named = namesIn(message);
  const accused = message
    .split(/[.!?;\n]/)
    .flatMap((sentence) => (isAccusing(sentence) ? namesIn(sentence) : []));
  const target = said?.target === undefined ? [] : [said.target];
  const inOrder = (seats: readonly Colour[]) =>
    COLOURS.filter((seat) => seats.includes(seat) && counts(seat));
  const others = (seats: readonly Colour[]) => seats.filter((seat) => seat !== said?.speaker);
  expectSame(complain, 'hits/named', others(found('mention')), inOrder(named));
  expectSame(
    complain,
    'hits/accused',
    others(found('accusation')),
    inOrder([...accused, ...target]),
  );
}

/** The players whose name is a word of the text, in any case; a plural or a possessive is the same word (28). */
function namesIn(text: string): readonly Colour[] {
  const words = new Set(text.toLowerCase().match(/(?:[\p{L}\p{M}\p{N}_]|\u200d)+/gu) ?? []);
  return COLOURS.filter((colour) => words.has(colour) || words.has(`${colour}s`));
}

const ACCUSING: ReadonlySet<string> = new Set(ACCUSING_WORDS);

function isAccusing(sentence: string): boolean {
  const words = sentence.toLowerCase().match(/(?:[\p{L}\p{M}\p{N}_-]|\u200d)+/gu) ?? [];
  return words.some((word) => ACCUSING.has(word));
}

/** The share of the transcript's target at which System speaks (ruling 35). */
const NUDGE_SHARE = 0.8;

function checkNudge({ said, nudge, tick }: Tick, account: Account, complain: Complain): void {
  const { nudge_after: after, nudge_every: every, token_target: target } = account.terms;
  const { lastNudge } = account.talk;
  const isLong = account.talk.tokensWith(said) >= target * NUDGE_SHARE;
  const reason = isLong ? 'tokens' : tick + 1 >= after ? 'ticks' : null;
  const isTooSoon = lastNudge !== null && tick < lastNudge + every;
  if (nudge !== null && isTooSoon)
    complain('nudge/spacing', `System spoke in tick ${lastNudge} and again in ${tick}`);
  else expectSame(complain, 'nudge/reason', nudge, isTooSoon ? null : reason);
}
