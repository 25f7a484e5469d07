/** The action: what to do next on the ship. */
import { LONGEST_WAIT } from '../machines/rules/ship/intent.ts';
import { SYSTEMS } from '../machines/rules/ship/map.ts';
import type { ActionView } from '../machines/rules/ship/views.ts';
import { own, type Parts, section, sections, shared, type WireSchema } from './block.ts';
import { choicesText, typesFor } from './choices.ts';
import type { Identity } from './identity.ts';
import { MAIN_SCRATCH, replyText, THOUGHT } from './rules.ts';
import { sceneText } from './scene.ts';
import { notes, oneOf, record, text, wholeOrNull } from './schema.ts';
import { noticesText, padsText, seenText, selfText } from './self.ts';
import { shipRules } from './ship.ts';
import { datedMemory } from './sightings.ts';

const REPLY = replyText([
  THOUGHT,
  '- action.type: what to do next; null goes on with what you are doing.',
  '- action.to: a place, or the number of a vent. action.whom: a player. action.task, action.system, action.what: as in the list of what you can do.',
  `- action.rounds: for how long to wait, follow or watch, from 1 to ${LONGEST_WAIT}. What an action does not need is null.`,
  MAIN_SCRATCH,
]);

/** Tokens: a thought, an action and some notes. */
const MOST_TOKENS = 600;

export function actionParts(view: ActionView, identity: Identity): Parts {
  const { you, round, map, options } = view;
  return {
    system: [shared(shipRules(map, options)), shared(`\n\n${REPLY}`)],
    user: [
      own(
        sections(
          selfText(you, identity, you.isGhost),
          seenText(datedMemory(you.memory, round), you.colour, 'ago'),
          padsText(you.pads),
          sceneText(view),
          noticesText(you.notices),
          choicesText(view),
          section('Now', ['Decide what to do next.']),
        ),
      ),
    ],
    schema: schemaFor(view),
    schemaName: 'action',
    maxTokens: MOST_TOKENS,
  };
}

/** The same for a whole stretch between meetings: what one role can ever do, flat, with null for what is not needed. */
function schemaFor(view: ActionView): WireSchema {
  const { you, map, scene } = view;
  const types = typesFor(view);
  const vents = types.includes('vent') ? map.vents.map(({ id }) => String(id)) : [];
  return record({
    internal_thought: text,
    action: record({
      type: oneOf(types),
      to: oneOf([...map.places, ...vents]),
      whom: oneOf(scene.seats.filter((seat) => seat !== you.colour)),
      task: oneOf(scene.tasks.map(({ id }) => id)),
      system: oneOf(SYSTEMS),
      what: oneOf(['cameras', 'admin']),
      rounds: wholeOrNull,
    }),
    scratchpad_updates: notes('main_scratch'),
  });
}
