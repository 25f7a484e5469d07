/** The prompt of a decision: from the server that has the journal, or the command that prints it. */
import { useSignal } from '@preact/signals';
import type { Colour } from '../../../../machines/types.ts';
import { type Prompt, promptCommand, promptFrom } from '../source/prompt.ts';
import { journalName, live } from '../state/session.ts';
import type { Asking } from './ledger.ts';
import { Text } from './text.tsx';

type Props = { readonly asking: Asking; readonly seat: Colour; readonly isModel: boolean };

export function PromptView({ asking, seat, isModel }: Props) {
  const prompt = useSignal<Prompt | string | null>(null);
  const title = isModel ? 'Prompt' : 'Prompt that a model in this seat would be sent';
  if (live.value === null) {
    return (
      <p class="command">
        {title}: <code>{promptCommand(journalName.value, asking, seat)}</code>
      </p>
    );
  }
  const show = async () => {
    prompt.value = 'It is made again from the journal…';
    prompt.value = await promptFrom(asking, seat);
  };
  const { value } = prompt;
  if (value === null) {
    return (
      <button type="button" onClick={() => void show()}>
        {title}
      </button>
    );
  }
  if (typeof value === 'string') return <p role="status">{value}</p>;
  return (
    <>
      <Text title="Prompt, the rules" text={value.system} />
      <Text title="Prompt, the moment" text={value.user} />
      <Text
        title={`${value.schemaName}, at most ${value.maxTokens} tokens`}
        text={JSON.stringify(value.schema, null, 2)}
      />
    </>
  );
}
