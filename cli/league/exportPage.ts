/** A league as one page that opens from disk and asks the network for nothing. */
import { writeFileSync } from 'node:fs';
import { createFailure, describeSystemError, EXIT, type ExitCode } from '../exit.ts';
import { cleanLines, print } from '../output.ts';
import { folderOf } from './journals.ts';
import { planIn } from './leagues.ts';
import { leagueIn } from './page.ts';
import { LOOKING, type PlaceFlags, withPlace } from './place.ts';

export type ExportPageFlags = PlaceFlags & {
  readonly out?: string;
  readonly journals?: string;
};

export async function exportLeaguePage(
  name: string | undefined,
  { out, journals, ...place }: ExportPageFlags,
): Promise<ExitCode> {
  if (out === undefined) {
    throw createFailure(
      EXIT.usage,
      'league/no-out',
      '--format html wants -o <file>: where the page goes',
    );
  }
  return await withPlace(place, LOOKING, async (store) => {
    const plan = await planIn(store, name);
    const league = await leagueIn(store, plan, journals ?? folderOf(plan.league.name));
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    const page = await createLeaguePage({ league, progress: null });
    try {
      writeFileSync(out, page);
    } catch (error) {
      const why = `the page can't be written to ${out}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', why);
    }
    print(cleanLines(`${plan.league.name}: ${Math.ceil(page.length / 1024)} kB in ${out}`));
    return EXIT.done;
  });
}
