/** How the crew of a game has reasoned, as the page shows it: errors of logic, and whom listeners had to suspect at each meeting. */
import type { GameJudgement, Knowledge } from '../analysis/observer/judgement.ts';
import type { Line } from '../machines/journal/lines.ts';
import type { BySeat, Colour } from '../machines/types.ts';
import type { ListenerShares, ReasoningNotes } from './page/game/story/pageData.ts';

/** The judgement of a game, with what its players said they believe. */
export function createReasoningNotes(
  { ballots, accusations, knowledge, impostors }: GameJudgement,
  lines: readonly Line[],
): ReasoningNotes {
  const wrong = [
    ...ballots.flatMap(({ isError, voter }) => (isError ? [voter] : [])),
    ...accusations.flatMap(({ isError, by }) => (isError ? [by] : [])),
  ];
  const meetings = [...new Set(knowledge.map(({ meeting }) => meeting))].sort((a, b) => a - b);
  return {
    errors: [...Map.groupBy(wrong, (seat) => seat)].map(([seat, all]) => ({
      seat,
      count: all.length,
    })),
    listeners: meetings.map(
      (meeting): ListenerShares => ({
        meeting,
        observer: averageKnowledge(knowledge.filter((known) => known.meeting === meeting)),
        minds: averageBeliefs(lines, meeting, impostors),
      }),
    ),
  };
}

/** Of nobody is asked how probable it is of themselves. */
function averageKnowledge(known: readonly Knowledge[]): BySeat<number> {
  return average(known.filter(({ teams }) => teams > 0).map(({ seat, odds }) => [seat, odds]));
}

/** What crewmates believed last in a meeting; impostors know. */
function averageBeliefs(
  lines: readonly Line[],
  meeting: number,
  impostors: readonly Colour[],
): BySeat<number> {
  const last = new Map<Colour, BySeat<number>>();
  for (const line of lines) {
    if (line.type !== 'belief.stated' || line.meeting !== meeting) continue;
    if (impostors.includes(line.seat) || Object.keys(line.probabilities).length === 0) continue;
    last.set(line.seat, line.probabilities);
  }
  return average([...last]);
}

function average(all: readonly (readonly [Colour, BySeat<number>])[]): BySeat<number> {
  const heard = new Map<string, number[]>();
  for (const [own, shares] of all) {
    for (const [seat, share] of Object.entries(shares)) {
      if (seat !== own) heard.set(seat, [...(heard.get(seat) ?? []), share]);
    }
  }
  return Object.fromEntries(
    [...heard].map(([seat, shares]) => [
      seat,
      round(shares.reduce((a, b) => a + b) / shares.length),
    ]),
  );
}

/** In thousandths: they are shown in percent. */
function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
