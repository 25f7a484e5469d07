/** `glassbox schema`: the JSON schemas of match and league files, for editors, of the messages of own minds, and of `why`. */
import { Argument, type Command, Option } from 'commander';
import type { z as Zod } from 'zod';

import { formatJson, print } from './output.ts';
import { formatExamples } from './usage.ts';

const KINDS = ['match', 'league', 'mind', 'why'] as const;
type SchemaKind = (typeof KINDS)[number];

export function addSchema(program: Command): void {
  program
    .command('schema')
    .description(
      'Prints a JSON schema: of match files or league files, so that editors know every key, of the messages of own minds, or of the results of "why".',
    )
    .addArgument(
      new Argument('[kind]', 'kind of file, mind for messages, or why for results').choices(KINDS),
    )
    .addOption(new Option('--of <kind>', 'the same as the argument').choices(KINDS))
    .addHelpText(
      'after',
      `${formatExamples(['schema > match.schema.json', 'beside your matches'], ['schema mind', 'the messages of a mind of your own'])}\n\nBegin a match file with: # yaml-language-server: $schema=match.schema.json`,
    )
    .action(async (kind: SchemaKind | undefined, flags: { readonly of?: SchemaKind }) => {
      const of = kind ?? flags.of ?? 'match';
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
      if (of === 'mind') {
        const { mindMessageSchema } = await import('../actors/minds/own/protocol.ts');
        print(formatJson(describeFile(mindMessageSchema), 2));
        return;
      }
      if (of === 'why') {
        const { whyResultSchema } = await import('../analysis/why/result.ts');
        print(formatJson(describeFile(whyResultSchema), 2));
        return;
      }
      // With two alternatives an editor reports the errors of both. The condition on `call` selects one.
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
