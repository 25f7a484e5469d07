import { namesIn, type Pick } from './pick.ts';

/** Ticks of talk before the first vote, and the ticks over which the other votes spread. */
const TALK = 3;
const HESITATION = 3;
const EAGER = 8;

const ALIBIS = [
  'I was in {room}, and I can tell you who passed.',
  'I came from {room}. Nothing there.',
  '{room} the whole time, doing my tasks.',
];
const ASKING = [
  '{whom}, where were you?',
  'I want to hear {whom} before anybody votes.',
  '{whom} is very quiet about the last minute.',
  'I do not trust {whom}: the story does not fit.',
];
const SEEN = ['I saw {whom} in {scene}.', '{whom} was in {scene}, where the body was.'];
const THOUGHTS = [
  'Somebody here is lying, and the times will show it.',
  'I should say where I was before somebody says it for me.',
  'If I vote too early I help the wrong side.',
];
const NOTES = ['{whom} was vague about places.', 'Compare what {whom} said with what I saw.'];
const LESSONS = [
  'Say early where you were, with whom and when.',
  'Whoever accuses without a place is guessing.',
];

export function talkIn(text: string, offered: readonly string[], pick: Pick) {
  const self = /You are (\w+), an? (impostor|crewmate)/.exec(text)?.[1] ?? '';
  const partners = namesIn(/Fellow impostors?: ([^\n.]*)/.exec(text)?.[1] ?? '');
  const others = offered.filter((name) => name !== self && !partners.includes(name));
  const whom = suspectIn(text, others) ?? pick(others, 'whom');
  const room = pick(placesIn(text), 'room') ?? 'Cafeteria';
  const filled = (lines: readonly string[], what: string) =>
    (pick(lines, what) ?? '')
      .replace('{whom}', capital(whom ?? 'Somebody'))
      .replace('{room}', room)
      .replace('{scene}', scene(text) ?? room);
  const seen = sightingsIn(text).some(
    ({ place, who }) => place === scene(text) && who.includes(whom ?? ''),
  );
  const speaksOf = pick([true, false], 'of whom') === true && whom !== undefined;
  const note = filled(NOTES, 'note');
  return {
    internal_thought: filled(THOUGHTS, 'thought'),
    desire_to_speak: pick([2, 3, 4, 5, 6, 7, EAGER], 'desire') ?? 0,
    message: speaksOf ? filled(seen ? SEEN : ASKING, 'asking') : filled(ALIBIS, 'alibi'),
    target: speaksOf ? whom : null,
    vote_action: voteIn(text, whom, pick),
    scratchpad_updates: { main_scratch: note, meeting_scratch: note },
    learned: LESSONS,
  };
}

/** Votes after some talk, or when the prompt demands it. */
function voteIn(text: string, whom: string | undefined, pick: Pick): string | null {
  const tail = text.slice(text.lastIndexOf('# Now'));
  if (/leave vote_action null/.test(tail)) return null;
  const tick = Number(/Tick (\d+)/.exec(tail)?.[1] ?? 0);
  const isPressed = /wrap it up|Voting is open/.test(tail);
  const isReady =
    isPressed || tick >= TALK + (pick([...Array(HESITATION).keys()], 'patience') ?? 0);
  if (!isReady) return null;
  const isSure = whom !== undefined && pick([true, true, false], 'sure') === true;
  return isSure ? whom : 'skip';
}

/** A player seen at the kill, or where the body lay; otherwise the most mentioned player. */
function suspectIn(text: string, others: readonly string[]): string | undefined {
  const atIt = others.find((name) => new RegExp(`${name} (killing|venting|in a vent)`).test(text));
  if (atIt !== undefined) return atIt;
  const near = sightingsIn(text).filter(({ place }) => place === scene(text));
  const there = others.find((name) => near.some(({ who }) => who.includes(name)));
  if (there !== undefined) return there;
  const said = [...text.matchAll(/"message": "(.*)", "t"/g)].map(([, message = '']) => message);
  const counts = others.map((name) => said.filter((one) => namesIn(one).includes(name)).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? undefined : others[counts.indexOf(most)];
}

function scene(text: string): string | undefined {
  return /reported the body of \w+ in ([^\n.]*)\./.exec(text)?.[1];
}

/** Lines such as `- 30 s: Electrical: you; red standing around`. */
function sightingsIn(text: string): readonly { place: string; who: readonly string[] }[] {
  return [...text.matchAll(/^- [\d. to]+ s: ([^:\n]+): (.*)$/gm)].map(
    ([, place = '', who = '']) => ({ place, who: namesIn(who) }),
  );
}

function placesIn(text: string): readonly string[] {
  return sightingsIn(text).flatMap(({ place, who }) => (who.includes('you') ? [place] : []));
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
