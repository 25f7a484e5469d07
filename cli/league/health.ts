/** The health of a store, for `doctor`: whether it answers, how fast, and what it would lose. */
import { clean } from '../../visualizer/terminal/clean.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { print, printJson } from '../output.ts';
import { LOOKING, type PlaceFlags, withPlace } from './place.ts';

/** Looks at a store; a store that may lose results is something that was found. */
export async function examineStore(
  flags: PlaceFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  const started = performance.now();
  return await withPlace(flags, LOOKING, async (store) => {
    const { what, warnings } = await store.health();
    const ms = Math.round(performance.now() - started);
    const personas = (await store.personas()).length;
    const leagues = (await store.leagues()).length;
    if (flags.json) {
      printJson({ type: 'doctor.store', v: 1, store: what, ms, personas, leagues, warnings });
    } else {
      print(
        `${clean(what)} answers in ${ms} ms: ${leagues} league${leagues === 1 ? '' : 's'}, ${personas} persona${personas === 1 ? '' : 's'}`,
      );
      for (const { text } of warnings) print(`  ${clean(text)}`);
      if (warnings.length === 0) print('  Nothing that it has acknowledged is lost when it ends.');
    }
    return warnings.length === 0 ? EXIT.done : EXIT.found;
  });
}
