/** `glassbox schema`: the JSON schema of scenario files, for editors. */
import type { Command } from 'commander';
import { examples } from './help.ts';
import { jsonText, print } from './output.ts';

export function addSchema(program: Command): void {
  program
    .command('schema')
    .summary('print the JSON schema of scenario files')
    .description('Prints the JSON schema of scenario files, so that editors know every key.')
    .addHelpText(
      'after',
      `${examples(['schema > schema.json', 'beside your scenarios'])}\n\nBegin a scenario with: # yaml-language-server: $schema=schema.json`,
    )
    .action(async () => {
      const [{ z }, { scenarioSchema }] = await Promise.all([
        import('zod'),
        import('../machines/scenario.ts'),
      ]);
      print(jsonText(z.toJSONSchema(scenarioSchema, { io: 'input' }), 2));
    });
}
