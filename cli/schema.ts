/** `glassbox schema`: the JSON schema of scenario files, for editors. */
import type { Command } from 'commander';
import { z } from 'zod';
import { scenarioSchema } from '../machines/scenario.ts';
import { print } from './output.ts';

export function addSchema(program: Command): void {
  program
    .command('schema')
    .summary('print the JSON schema of scenario files')
    .description(
      'Prints the JSON schema of scenario files. Save it, and begin a scenario with "# yaml-language-server: $schema=FILE".',
    )
    .action(() => print(JSON.stringify(z.toJSONSchema(scenarioSchema, { io: 'input' }), null, 2)));
}
