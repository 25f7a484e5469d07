/** `glassbox schema`: the JSON schemas of match and league files, for editors, of the messages of own minds, and of `why`. */
import { Argument, Option } from 'commander';
import type { z as Zod } from 'zod';
import { formatJson, print } from './output.ts';
import type { ProgramCommand } from './usage.ts';

const KINDS = ['match', 'league', 'mind', 'why'] as const;
type SchemaKind = (typeof KINDS)[number];

const SCHEMAS: Readonly<Record<SchemaKind, () => Promise<object>>> = {
  match: describeMatch,
  league: async () => describe((await import('../actors/league/leagueFile.ts')).leagueSchema),
  mind: async () => describe((await import('../actors/minds/own/protocol.ts')).mindMessageSchema),
  why: async () => describe((await import('../analysis/why/result.ts')).whyResultSchema),
};

export function addSchema(program: ProgramCommand): void {
  program
    .command('schema')
    .description(
      'Prints a JSON schema: of match files or league files, so that editors know every key, of the messages of own minds, or of the results of "why".',
    )
    .addArgument(
      new Argument('[kind]', 'kind of file, mind for messages, or why for results').choices(KINDS),
    )
    .addOption(new Option('--of <kind>', 'the same as the argument').choices(KINDS))
    .examples(
      ['schema > match.schema.json', 'beside your matches'],
      ['schema mind', 'the messages of a mind of your own'],
    )
    .addHelpText(
      'after',
      '\nBegin a match file with: # yaml-language-server: $schema=match.schema.json',
    )
    .action(async (kind: SchemaKind | undefined, flags: { readonly of?: SchemaKind }) => {
      print(formatJson(await SCHEMAS[kind ?? flags.of ?? 'match'](), 2));
    });
}

async function describe(schema: Zod.ZodType) {
  return (await import('zod')).z.toJSONSchema(schema, { io: 'input' });
}

/** With two alternatives an editor reports the errors of both. The condition on `call` selects one. */
async function describeMatch(): Promise<object> {
  const { gameMatchSchema, meetingMatchSchema } = await import('../machines/setup/match.ts');
  const { $schema, ...meeting } = await describe(meetingMatchSchema);
  const { $schema: _, ...game } = await describe(gameMatchSchema);
  return {
    $schema,
    type: 'object',
    if: { required: ['call'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: meeting,
    else: game,
  };
}
