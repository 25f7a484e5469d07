/**
 * The private part of a prompt: who this player is, what they know, and their notes. It comes last and is seen by
 * nobody else.
 */
import type { Colour, Note, Pads, Persona, Role } from '../machines/types.ts';
import { listed, section } from './block.ts';
import { type Identity, MOST_LESSONS } from './identity.ts';
import { ADVICE, KNOWLEDGE, REMINDERS } from './levels.ts';
import { type Dated, sightingLines } from './sightings.ts';

export type Player = {
  readonly colour: Colour;
  readonly role: Role;
  readonly partners: readonly Colour[];
  readonly persona: Persona;
};

/** Who the player is: seat, role, persona and general knowledge. */
export function selfText(player: Player, identity: Identity, isGhost = false): string {
  const { character, voice, level, learned } = identity;
  const { colour, role, persona } = player;
  return section('You (private: no other player sees this part)', [
    `You are ${colour}, ${role === 'impostor' ? 'an impostor' : 'a crewmate'}. ${isGhost ? ghostText(player) : company(player)}`,
    ...labelled('Your character', character),
    ...labelled('Your voice', voice),
    ...labelled('About you', persona.notes),
    `Strategy: ${KNOWLEDGE[level]}`,
    ...lessons(learned),
  ]);
}

function ghostText(player: Player): string {
  const dead = 'You are dead: a ghost.';
  return player.role === 'impostor' ? `${company(player)} ${dead}` : dead;
}

function company({ role, partners }: Player): string {
  if (role === 'crewmate') return 'You do not know who the impostors are.';
  return partners.length === 0
    ? 'You are the only impostor.'
    : `Fellow impostor${partners.length === 1 ? '' : 's'}: ${listed(partners)}.`;
}

function lessons(learned: readonly string[]): readonly string[] {
  const kept = learned.slice(-MOST_LESSONS);
  return kept.length === 0
    ? []
    : ['What you learned in earlier games:', ...kept.map((lesson) => `- ${lesson}`)];
}

/** A line of the operator's own words; none where they wrote nothing. */
function labelled(label: string, words: string): readonly string[] {
  return words === '' ? [] : [`${label}: ${words}`];
}

/** The words of the design for impostors at the table, and the advice of their level. */
export function impostorText({ role }: Player, { level }: Identity): string {
  if (role !== 'impostor') return '';
  return section('As an impostor', [
    ...REMINDERS.map((words) => `- ${words}`),
    `Advice: ${ADVICE[level]}`,
  ]);
}

/** What the player saw, dated by `before`: "before the meeting", "ago". */
export function seenText(seen: readonly Dated[], you: Colour, before: string, prose = ''): string {
  return section(`What you saw yourself (seconds ${before})`, [
    ...(seen.length === 0 ? ['Nothing.'] : sightingLines(seen, you)),
    ...labelled('Also', prose),
  ]);
}

/** Both notebooks, in the fields by which they are written. */
export function padsText({ main, meeting }: Pads): string {
  return section('Your notes', [
    `{"main_scratch": ${JSON.stringify(main)}, "meeting_scratch": ${JSON.stringify(meeting)}}`,
  ]);
}

/** What the engine has to say about the last reply. */
export function noticesText(notices: readonly Note[]): string {
  return section(
    'The engine to you',
    notices.map(({ text }) => `- ${text}`),
  );
}
