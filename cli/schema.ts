/** `glassbox schema`: the JSON schemas of scenario, lobby and league files, for editors. */
import { type Command, Option } from 'commander';
import { formatJson, print } from './output.ts';
import { formatExamples } from './usage.ts';

export function addSchema(program: Command): void {
  program
    .command('schema')
    .summary('print the JSON schema of scenario files')
    .description(
      'Prints the JSON schema of scenario files, or of another kind, so that editors know every key.',
    )
    .addOption(
      new Option('--of <kind>', 'kind of file')
        .choices(['scenario', 'lobby', 'league'])
        .default('scenario'),
    )
    .addHelpText(
      'after',
      `${formatExamples(['schema > schema.json', 'beside your scenarios'])}\n\nBegin a scenario with: # yaml-language-server: $schema=schema.json`,
    )
    .action(async ({ of }: { readonly of: 'scenario' | 'lobby' | 'league' }) => {
      const [{ z }, { gameMatchSchema, meetingMatchSchema }, { leagueSchema }] = await Promise.all([
        import('zod'),
        import('../machines/setup/match.ts'),
        import('../actors/league/leagueFile.ts'),
      ]);
      const schemas = {
        scenario: meetingMatchSchema,
        lobby: gameMatchSchema,
        league: leagueSchema,
      };
      print(formatJson(z.toJSONSchema(schemas[of], { io: 'input' }), 2));
    });
}
