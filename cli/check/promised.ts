/** The names of promises: whoever asks for one that is not there is told, for what is not judged must not read as kept. */
import { suggestWord } from '../../actors/engine/suggestion.ts';
import { meetingMatchSchema } from '../../machines/setup/match.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import { RULE_SETS } from '../../machines/types.ts';
import { isJudgeable } from '../../proofs/conformance.ts';
import { EXTRA_CHECKS } from '../../proofs/extraChecks.ts';
import { listMeetingProperties } from '../../proofs/properties/meeting.ts';
import type { MeetingProperty } from '../../proofs/properties/property.ts';
import { CHANCE } from '../../proofs/run.ts';
import { createFailure, EXIT } from '../exit.ts';

/** Refuses names of promises that are not among those of a search. */
export function refuseUnasked(wanted: readonly string[], here: readonly string[]): void {
  const all = [...everywhere().map(({ name }) => name), ...EXTRA_CHECKS];
  for (const name of wanted) {
    if (here.includes(name)) continue;
    refuseUnknown(name, all);
    const text = `--property: ${name} says nothing in this world; it needs --faults, --departures, --stops, a ghost or other rules`;
    throw createFailure(EXIT.usage, 'check/not-in-this-world', text);
  }
}

/** Refuses names of promises that no recorded meeting can be judged by. */
export function refuseUnjudgeable(wanted: readonly string[]): void {
  const all = everywhere();
  for (const name of wanted) {
    const promised = all.find((one) => one.name === name);
    if (promised === undefined && !EXTRA_CHECKS.includes(name)) {
      refuseUnknown(
        name,
        all.map((one) => one.name),
      );
    } else if (promised === undefined || !isJudgeable(promised)) {
      const text = `--property: ${name} is about all meetings that can be, and no recorded one can be judged by it`;
      throw createFailure(EXIT.usage, 'check/not-of-a-journal', text);
    }
  }
}

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const meant = suggestWord(name, names);
  const help = meant === null ? ` (promises: ${names.join(', ')})` : `; did you mean "${meant}"?`;
  const text = `--property: there is no promise ${JSON.stringify(name)}${help}`;
  throw createFailure(EXIT.usage, 'check/unknown-promise', text);
}

/** Every promise in a world in which everything may happen. */
function everywhere(): readonly MeetingProperty[] {
  const promises = RULE_SETS.flatMap((rules) => {
    const setting = settingFor(
      meetingMatchSchema.parse({
        name: 'everything',
        options: { rules },
        call: { by: 'red' },
        seats: [
          { colour: 'red' },
          { colour: 'blue' },
          { colour: 'green' },
          { colour: 'pink', dead: true },
        ],
      }),
      CHANCE,
    );
    const knobs = { faults: true, departures: setting.seats.length, stops: true };
    return listMeetingProperties(setting, knobs);
  });
  return [...new Map(promises.map((promised) => [promised.name, promised])).values()];
}
