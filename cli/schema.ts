/** `glassbox schema`: the JSON schemas of match and league files, for editors. */
import { type Command, Option } from 'commander';
import type { z as Zod } from 'zod';

import { formatJson, print } from './output.ts';
import { formatExamples } from './usage.ts';

export function addSchema(program: Command): void {
  program
    .command('schema')
    .summary('print the JSON schema of match files')
    .description(
      'Prints the JSON schema of match files, or of league files, so that editors know every key.',
    )
    .addOption(
      new Option('--of <kind>', 'kind of file').choices(['match', 'league']).default('match'),
    )
    .addHelpText(
      'after',
      `${formatExamples(['schema > match.schema.json', 'beside your matches'])}\n\nBegin a match file with: # yaml-language-server: $schema=match.schema.json`,
    )
    .action(async ({ of }: { readonly of: 'match' | 'league' }) => {
      const [{ z }, { gameMatchSchema, meetingMatchSchema }, { leagueSchema }] = await Promise.all([
        import('zod'),
        import('../machines/setup/match.ts'),
        import('../actors/league/leagueFile.ts'),
      ]);
      const describeFile = (schema: Zod.ZodType) => z.toJSONSchema(schema, { io: 'input' });
      if (of === 'league') {
        print(formatJson(describeFile(leagueSchema), 2));
        return;
      }
      // An editor that is given two alternatives complains of both; with `call` it is told which one is meant.
      const { $schema, ...meeting } = describeFile(meetingMatchSchema);
      const { $schema: _, ...game } = describeFile(gameMatchSchema);
      const match = {
        $schema,
        type: 'object',
        if: { required: ['call'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: meeting,
        else: game,
      };
      print(formatJson(match, 2));
    });
}
